import type { z } from 'zod';

/**
 * One request/reply call between services: its subject, its payload and how long the caller waits. Both sides import the same
 * object, so subject, payload and deadline cannot drift apart.
 */
export interface Call<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  /** `<owner>.<noun>.<verb>.v<n>`. The owner's name is also its queue group. */
  readonly subject: string;
  readonly request: Request;
  readonly reply: Reply;
  /** The caller gives up with `timeout` after this time. Every call has a deadline. */
  readonly deadlineMs: number;
  /** Guards the sending of events, so it waits behind no other work of its service. */
  readonly isUrgent?: boolean;
  /** One valid exchange, for tests and for documentation. */
  readonly example: { readonly request: z.input<Request>; readonly reply: z.input<Reply> };
}

/** The type that a handler of the call receives, with defaults filled in. */
export type RequestOf<C extends Call> = z.output<C['request']>;
/** The type that a caller receives. */
export type ReplyOf<C extends Call> = z.output<C['reply']>;
/** The type that a caller passes. Fields with defaults are optional. */
export type RequestInputOf<C extends Call> = z.input<C['request']>;

export function defineCall<Request extends z.ZodType, Reply extends z.ZodType>(
  call: Call<Request, Reply>,
): Call<Request, Reply> {
  return Object.freeze(call);
}
