import { z } from 'zod';
import { type Call, defineCall } from './call.js';

/** Every entry point that always runs (architecture section 1). Each is a separate process. */
export const PROCESSES = [
  'gateway.main',
  'transformation-registry.main',
  'regulation-service.main',
  'regulation-service.filter',
  'regulation-service.eraser',
  'test-runner.main',
  'delivery-service.main',
  'delivery-service.deliverer',
  'delivery-service.fetcher',
  'schema-service.main',
  'schema-service.collector',
  'code-sandbox.main',
] as const;
/** Entry points that run only where the operator wants them. */
export const OPTIONAL_PROCESSES = ['delivery-service.archiver'] as const;
export type ProcessName = (typeof PROCESSES)[number] | (typeof OPTIONAL_PROCESSES)[number];

const Health = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });
export type Health = z.output<typeof Health>;

/** Returns whether a process of that name is ready. Each process answers its own call. */
export const healthCall = (name: ProcessName): Call<z.ZodObject, typeof Health> =>
  defineCall({
    subject: `ops.${name.replace('.', '-')}.health.v1`,
    request: z.object({}),
    reply: Health,
    deadlineMs: 1_000,
    example: { request: {}, reply: { ready: true, reasons: [] } },
  });

/**
 * Every running process answers a request on this subject, not just one of each name. The caller gathers the
 * {@link ProcessReport}s, and compares them with {@link PROCESSES} to see which are missing.
 */
export const ROLL_CALL_SUBJECT = 'ops.process.report.v1';

/** A running process about itself. It names no host and no address, because workspaces may read it. */
export const ProcessReport = Health.extend({
  process: z.enum([...PROCESSES, ...OPTIONAL_PROCESSES]),
  /** The version of Weir, as it was built. */
  version: z.string(),
  startedAt: z.iso.datetime(),
  // Processes of an earlier version do not tell what follows.
  time: z.iso.datetime().optional().describe('Its own clock as it answered'),
  broker: z
    .object({
      version: z.string(),
      isReliable: z.boolean().describe('Whether it keeps every accepted event when it is killed'),
    })
    .optional()
    .describe('The server of the broker that it is connected to'),
  waiting: z.int().nonnegative().optional().describe('Batches of events that wait for it, if it reads any'),
});
export type ProcessReport = z.output<typeof ProcessReport>;
