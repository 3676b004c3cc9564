import { performance } from 'node:perf_hooks';
import type { NatsConnection } from '@nats-io/transport-node';
import { RunCode } from '@weir/contracts';
import type { Request } from './sandbox-programs.js';

/** A request as `RpcClient` sends it, serialised once, so that the client's own work is not measured. */
export interface Packet {
  bytes: Buffer;
  events: number;
}

export function packetOf(data: Request): Packet {
  const bytes = Buffer.from(JSON.stringify({ pattern: RunCode.subject, id: '1', data }));
  return { bytes, events: data.events.length };
}

const OK = Buffer.from('"status":"ok"');

/** Milliseconds that a call took, and how many of its events failed. */
export async function call(nats: NatsConnection, { bytes, events }: Packet): Promise<{ ms: number; failed: number }> {
  const startedAt = performance.now();
  const reply = await nats.request(RunCode.subject, bytes, { timeout: RunCode.deadlineMs }).then(
    ({ data }) => Buffer.from(data.buffer, data.byteOffset, data.byteLength),
    () => Buffer.alloc(0),
  );
  const ms = performance.now() - startedAt;
  return { ms, failed: events - count(reply, OK) };
}

/** The outputs of the first event. */
export async function outputsOf(nats: NatsConnection, { bytes }: Packet): Promise<Record<string, unknown>[]> {
  const message = await nats.request(RunCode.subject, bytes, { timeout: RunCode.deadlineMs });
  const { response } = message.json<{ response: { results: { outputs?: Record<string, unknown>[] }[] } }>();
  return response.results[0]?.outputs ?? [];
}

function count(bytes: Buffer, part: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + part.length)) found += 1;
  return found;
}
