import { CodeRuntime, type UserError } from '@weir/contracts';
import { z } from 'zod';
import { ERROR_CHARS_MAX } from '../limits.js';

/**
 * A task for a child: the head of a frame. The body contains the events with a comma between them, each as JSON of
 * `{message, metadata}`. Nothing in them is changed on the way.
 */
export interface ChildTask {
  id: number;
  action: 'run' | 'check-transformation' | 'check-library';
  /** Names the bundle by its whole content. */
  digest: string;
  /** Absent if the child holds it from an earlier task (`held-bundles.ts`). */
  bundle?: Bundle | undefined;
  /** Length of each event in bytes, in one list per caller that shares the run. */
  groups: number[][];
  /** The events are only part of a batch. `transformBatch` must not see them because it needs the whole batch. */
  isPartial: boolean;
  collectLogs: boolean;
  allowFetch: boolean;
  credentials: { key: string; value: string }[];
  /** Wall-clock limit of the whole task. */
  limitMs: number;
}

/** A task with its bundle. */
export interface FullTask extends ChildTask {
  bundle: Bundle;
}

export interface Bundle {
  key: string;
  name: string;
  code: string;
  libraries: { importName: string; code: string }[];
}

/**
 * An error as shown to its author, prepared in the isolate by `guest/shown-error.ts`. The supervisor passes it on unread. An
 * error beyond these limits cannot come from our own driver.
 */
export const ToldError = z.strictObject({
  message: z.string().max(ERROR_CHARS_MAX),
  frame: z.strictObject({ file: z.string().max(ERROR_CHARS_MAX), line: z.number(), column: z.number() }).optional(),
});

/** Why user code did not finish, or what it threw, before wording for the user. */
export const Failure = z.object({
  cause: z.enum(['thrown', 'timeout', 'memory']),
  /** The thrown error, or the place where the code hit the limit, if known. */
  error: ToldError.optional(),
  /** The code failed to load, so the failure does not depend on the events. If absent, a single event may be the cause. */
  isOfCode: z.boolean().optional(),
});
export type Failure = z.output<typeof Failure>;

export const TIMED_OUT = 'Error: Script execution timed out.';
export const OUT_OF_MEMORY = 'Error: Isolate was disposed during execution due to memory limit';
export const CRASHED = 'Error: The sandbox process ended while it ran this code';

/** Words a failure for the user. Limits have fixed texts, and a thrown error keeps its own. */
export function userErrorOf({ cause, error }: Failure): UserError {
  const message = { thrown: error?.message, timeout: TIMED_OUT, memory: OUT_OF_MEMORY }[cause];
  return { message: message || 'Error', ...(error?.frame && { frame: error.frame }) };
}

export const ContextUsed = z.enum(['fresh', 'kept', 'touched']);
export type ContextUsed = z.output<typeof ContextUsed>;

/**
 * The head of a child's answer. The supervisor checks every part because the child ran untrusted code. The body is the driver's
 * output (see `outcome.ts`). It is empty for a check or a lost run.
 */
export const ChildAnswer = z.object({
  id: z.number(),
  failure: Failure.optional(),
  logs: z.array(z.string()),
  /** The code was compiled for an earlier run. */
  isCompiled: z.boolean().optional(),
  /** The context of the run. `touched` means that the kept one was not as it was, so that a fresh one took its place. */
  context: ContextUsed.optional(),
  /** The isolate hit a limit, so the child must not be used again. */
  spent: z.boolean(),
});
export type ChildAnswer = z.output<typeof ChildAnswer>;

/** Told before a test runs, because a limit may end the child. */
export const Judged = z.object({
  type: z.literal('judged'),
  task: z.number(),
  runtime: CodeRuntime.extend({ runtimeReason: z.string().max(ERROR_CHARS_MAX).optional() }),
});
export type Judged = z.output<typeof Judged>;

/** A `fetch` call of user code. The fetcher is the first to check its arguments. */
export const FetchAsk = z.object({
  type: z.literal('fetch'),
  /** The task id, and the number of the call in the task. */
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

/** The answer to a `fetch` call. */
export interface FetchAnswer {
  type: 'fetched';
  task: number;
  call: number;
  response?: FetchResponse;
  /** Why there is no response, worded for the user. */
  error?: string;
}

export interface ReadyMessage {
  type: 'ready';
}
