import { z } from 'zod';
import { type Call, defineCall } from './call.js';

/** Every entry point of architecture section 1. Each is a separate process. */
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
export type ProcessName = (typeof PROCESSES)[number];

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
