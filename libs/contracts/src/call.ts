import type { z } from 'zod';

/**
 * One request/reply call between services: where it goes, what it carries and how long the caller waits.
 * Both sides hold this one object, so that subject, payload and deadline cannot drift apart.
 */
export interface Call<Request extends z.ZodType = z.ZodType, Reply extends z.ZodType = z.ZodType> {
  /** `<owner>.<noun>.<verb>.v<n>`; the owner's name is also its queue group. */
  readonly subject: string;
  readonly request: Request;
  readonly reply: Reply;
  /** After this the caller gives up with `timeout`. Nothing is called without one. */
  readonly deadlineMs: number;
  /** One valid exchange, for tests and for readers. */
  readonly example: { readonly request: z.input<Request>; readonly reply: z.input<Reply> };
}

/** What a handler of the call receives. */
export type RequestOf<C extends Call> = z.output<C['request']>;
/** What a caller of the call receives. */
export type ReplyOf<C extends Call> = z.output<C['reply']>;
/** What a caller passes (defaults may be left out). */
export type RequestInputOf<C extends Call> = z.input<C['request']>;

export function defineCall<Request extends z.ZodType, Reply extends z.ZodType>(
  call: Call<Request, Reply>,
): Call<Request, Reply> {
  return Object.freeze(call);
}
