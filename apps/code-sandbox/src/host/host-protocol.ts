import { z } from 'zod';

/** What supervisor and host say to each other; none carries events or code. */
export const HOST_FRAME_BYTES_MAX = 16 * 1_024;

/** A connection begins with a name of so many bytes: the host's, or that of a child, which only supervisor and host know. */
export const NAME_BYTES = 36;
export const HOST_NAME = 'host'.padEnd(NAME_BYTES);

/** Supervisor to host. */
export const HostOrder = z.union([
  z.object({ type: z.literal('start'), child: z.string(), memoryMb: z.number() }),
  z.object({ type: z.literal('kill'), child: z.string() }),
]);
export type HostOrder = z.output<typeof HostOrder>;

/** Host to supervisor: one for each child that it was told to start. */
export const ChildEnd = z.object({
  type: z.literal('ended'),
  child: z.string(),
  signal: z.string().nullable(),
  lastWords: z.string(),
});
export type ChildEnd = z.output<typeof ChildEnd>;
