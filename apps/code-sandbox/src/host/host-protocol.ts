import { z } from 'zod';

/** Upper limit of a message between supervisor and host, which carries neither events nor code. */
export const HOST_FRAME_BYTES_MAX = 16 * 1_024;

/** Length of the name that starts a connection. It names the host, or a child by an id that only supervisor and host know. */
export const NAME_BYTES = 36;
export const HOST_NAME = 'host'.padEnd(NAME_BYTES);

/** Sent by the supervisor to the host. */
export const HostOrder = z.union([
  z.object({ type: z.literal('start'), child: z.string(), memoryMb: z.number() }),
  z.object({ type: z.literal('kill'), child: z.string() }),
]);
export type HostOrder = z.output<typeof HostOrder>;

/** Sent by the host to the supervisor, one for each child that it was ordered to start. */
export const ChildEnd = z.object({
  type: z.literal('ended'),
  child: z.string(),
  signal: z.string().nullable(),
  lastWords: z.string(),
});
export type ChildEnd = z.output<typeof ChildEnd>;
