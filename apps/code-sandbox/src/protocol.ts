import { z } from 'zod';
import { ERROR_CHARS_MAX } from './limits.js';

/**
 * What the supervisor asks a child to do: the head of a frame. The body holds the events, each the JSON of
 * `{message, metadata}`, one after the other. Nothing in them is touched on the way.
 */
export interface ChildTask {
  id: number;
  kind: 'run' | 'check-transformation' | 'check-library';
  bundle: Bundle;
  /** Bytes of each event, a list for each caller whose events share the run. */
  groups: number[][];
  /** Some events of a batch only: not for `transformBatch`, which has to see all of them. */
  isPart: boolean;
  collectLogs: boolean;
  allowFetch: boolean;
  credentials: { key: string; value: string }[];
  /** Wall clock for all of it. */
  limitMs: number;
}

export interface Bundle {
  key: string;
  name: string;
  code: string;
  libraries: { importName: string; code: string }[];
}

/**
 * An error as its author gets to see it (`guest/shown-error.ts` has read it where it was thrown). The supervisor passes it on
 * and reads nothing out of it: what is longer than agreed is from no child of ours.
 */
export const ToldError = z.strictObject({
  message: z.string().max(ERROR_CHARS_MAX),
  frame: z.strictObject({ file: z.string().max(ERROR_CHARS_MAX), line: z.number(), column: z.number() }).optional(),
});

/** Why user code did not get to an end, or what it threw, before it is put into words for the user. */
export const Failure = z.object({
  kind: z.enum(['thrown', 'timeout', 'memory']),
  /** What was thrown, or where in the code the limit was hit, when that is known. */
  error: ToldError.optional(),
  /** It is the code's, whatever the events are: it was not loaded. Absent: it may be a single event's. */
  isOfCode: z.boolean().optional(),
});
export type Failure = z.output<typeof Failure>;

/**
 * The head of a child's answer. It has run code that nobody trusts, so the supervisor checks every part of it. The body is what
 * the driver wrote (`outcome.ts` reads it), empty for a check, or when the run was lost as a whole.
 */
export const ChildAnswer = z.object({
  id: z.number(),
  failure: Failure.optional(),
  logs: z.array(z.string()),
  /** Its code was compiled for an earlier run. */
  isWarm: z.boolean().optional(),
  /** The child must not be used again: its isolate ran into a limit. */
  spent: z.boolean(),
});
export type ChildAnswer = z.output<typeof ChildAnswer>;

/** A call of `fetch` that user code made: its arguments, checked by the fetcher and by nobody before. */
export const FetchAsk = z.object({
  type: z.literal('fetch'),
  /** The task, and the number of the call in it. */
  task: z.number(),
  call: z.number(),
  url: z.string(),
  method: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().optional(),
});
export type FetchAsk = z.output<typeof FetchAsk>;

export interface FetchResponse {
  url: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** What came of it. */
export interface FetchAnswer {
  type: 'fetched';
  task: number;
  call: number;
  response?: FetchResponse;
  /** Why there is no response, for the user. */
  error?: string;
}

export interface ReadyMessage {
  type: 'ready';
}
