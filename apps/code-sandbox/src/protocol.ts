import { JsonObject } from '@weir/contracts';
import { z } from 'zod';

/** What the supervisor asks a child to do. Events and results cross as text; nothing in them is touched on the way. */
export interface ChildTask {
  id: number;
  kind: 'run' | 'check-transformation' | 'check-library';
  bundle: { key: string; name: string; code: string; libraries: { importName: string; code: string }[] };
  /** JSON array of `{message, metadata}`; `[]` for a check. */
  eventsJson: string;
  collectLogs: boolean;
  allowFetch: boolean;
  credentials: { key: string; value: string }[];
  /** Wall clock for all of it. */
  limitMs: number;
  /** Heap of its isolate, which is made for the bundle's first task. */
  memoryMb: number;
}

/** Why user code did not get to an end, or what it threw, before it is put into words for the user. */
export const Failure = z.object({
  kind: z.enum(['thrown', 'timeout', 'memory']),
  /** The error with its stack, or a plain message. */
  text: z.string(),
});
export type Failure = z.output<typeof Failure>;

/**
 * What a child answers. It has run code that nobody trusts, so the supervisor checks every part of it.
 * Either `resultsJson` (a {@link GuestOutcome}, empty when it is too large) or `failure` of the whole run; neither for a
 * check that found nothing.
 */
export const ChildAnswer = z.object({
  id: z.number(),
  resultsJson: z.string().optional(),
  failure: Failure.optional(),
  logs: z.array(z.string()),
  /** Its code was compiled for an earlier run. */
  isWarm: z.boolean().optional(),
  /** The child must not be used again: its isolate ran into a limit. */
  spent: z.boolean(),
});
export type ChildAnswer = z.output<typeof ChildAnswer>;

const GuestResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), outputs: z.array(JsonObject) }),
  z.object({ status: z.literal('dropped') }),
  z.object({ status: z.literal('error'), text: z.string() }),
]);
export type GuestResult = z.output<typeof GuestResult>;

/** What the driver wrote in the isolate: one result per input, in input order, and errors that belong to no input. */
export const GuestOutcome = z.object({ results: z.array(GuestResult), strays: z.array(z.string()) });

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
