import { Agent, type ClientRequest, request } from 'node:http';
import { performance } from 'node:perf_hooks';

/** Settings of a stack whose intake takes what it can. */
export const WITHOUT_RATE_LIMITS = {
  INTAKE_SOURCE_EVENTS_PER_SECOND: '1000000',
  INTAKE_SOURCE_BYTES_PER_SECOND: '1000000000',
};

export interface Request {
  url: string;
  method: 'GET' | 'POST';
  authorization: string;
  body?: string;
}

export interface LoadResult {
  requests: number;
  failed: number;
  seconds: number;
  /** Milliseconds of each successful request, ascending. */
  latencies: number[];
}

/** Keeps `concurrency` requests under way on keep-alive connections for the given time. */
export async function load(options: {
  concurrency: number;
  seconds: number;
  make: (n: number) => Request;
}): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.concurrency });
  const latencies: number[] = [];
  const startedAt = performance.now();
  const end = startedAt + options.seconds * 1_000;
  let sent = 0;
  let failed = 0;
  const worker = async () => {
    while (performance.now() < end) {
      const before = performance.now();
      sent += 1;
      const status = await send(agent, options.make(sent)).catch(() => 0);
      if (status === 200) latencies.push(performance.now() - before);
      else failed += 1;
    }
  };
  await Promise.all(Array.from({ length: options.concurrency }, worker));
  agent.destroy();
  const seconds = (performance.now() - startedAt) / 1_000;
  return { requests: latencies.length, failed, seconds, latencies: latencies.sort((a, b) => a - b) };
}

/** Resolves with the status of the answer. Rejects if there is none. */
export function send(agent: Agent, { url, method, authorization, body }: Request): Promise<number> {
  return new Promise((done, fail) => {
    const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
    const sending: ClientRequest = request(url, { agent, method, headers }, (response) => {
      response.resume().on('end', () => done(response.statusCode ?? 0));
    });
    sending.on('error', fail).end(body);
  });
}

/**
 * @param ascending Sorted numbers
 * @param p Between 0 and 1
 */
export function percentile(ascending: number[], p: number): number {
  return ascending[Math.min(ascending.length - 1, Math.floor(ascending.length * p))] ?? Number.NaN;
}
