import type { Outbound, OutboundRequest } from '../src/kind.js';

/** A vendor that answers each request with this JSON, and notes the requests. */
export const answering = (status: number, body: unknown, requests: OutboundRequest[] = []): Outbound => ({
  request: async (request) => {
    requests.push(request);
    return {
      ...{ status, truncated: false, headers: { 'content-type': 'application/json' } },
      body: Buffer.from(JSON.stringify(body)),
    };
  },
  connect: () => Promise.reject(new Error('no connection')),
});
