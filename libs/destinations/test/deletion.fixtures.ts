import type { JsonObject } from '@weir/contracts';
import type { DeletionOutcome, Outbound, OutboundRequest } from '../src/kind.js';
import { destinationKind } from '../src/registry.js';

export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Recorded {
  outcome: DeletionOutcome | undefined;
  sent: OutboundRequest[];
}

/** An outbound client that answers from a list, then with 200, and records the requests. */
export function answering(answers: readonly Answer[]): { outbound: Outbound; sent: OutboundRequest[] } {
  const sent: OutboundRequest[] = [];
  const outbound: Outbound = {
    request: async (request) => {
      const { status, body = '', headers = {} } = answers[sent.length] ?? { status: 200 };
      sent.push(request);
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      return { status, headers, body: Buffer.from(text), truncated: false };
    },
    connect: () => Promise.reject(new Error('not used')),
  };
  return { outbound, sent };
}

/** Deletes users at a kind whose vendor gives these answers. */
export async function forget(
  name: string,
  config: JsonObject,
  users: JsonObject[],
  answers: readonly Answer[] = [],
): Promise<Recorded> {
  const { outbound, sent } = answering(answers);
  const request = { regulationId: 'r1', destinationId: 'd1', config, users };
  return { outcome: await destinationKind(name)?.deletion?.delete(request, outbound), sent };
}

/** Asks a kind for the outcome of a forwarded deletion. */
export async function statusOf(
  name: string,
  config: JsonObject,
  jobReference: string,
  answers: readonly Answer[],
): Promise<Recorded> {
  const { outbound, sent } = answering(answers);
  return { outcome: await destinationKind(name)?.deletion?.status?.({ config, jobReference }, outbound), sent };
}

export const bodyOf = (request: OutboundRequest | undefined): JsonObject => JSON.parse(request?.body ?? 'null');
