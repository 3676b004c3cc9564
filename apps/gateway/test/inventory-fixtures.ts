import { uniqueName } from '@weir/testing';
import type { clientOf } from './client.js';

type Client = ReturnType<typeof clientOf>;

async function created(client: Client, kind: 'source' | 'destination' | 'connection', body: object) {
  const answer = await client.post(`/v2/${kind}s`, body);
  if (answer.status !== 200) throw new Error(`no ${kind}: ${answer.text}`);
  return answer.body[kind] as { id: string; name: string; writeKey: string };
}

/** Creates inventory through the API, so that it is in the gateway's own database. Needs a stub of `ListDefinitions`. */
export const newSource = (client: Client, overrides: object = {}) =>
  created(client, 'source', { name: uniqueName('source'), type: 'HTTP', ...overrides });

export const newDestination = (client: Client, overrides: object = {}) =>
  created(client, 'destination', {
    ...{ name: uniqueName('hook'), type: 'WEBHOOK', config: { webhookUrl: 'https://example.com/hook' } },
    ...overrides,
  });

export const connect = (client: Client, sourceId: string, destinationId: string, enabled = true) =>
  created(client, 'connection', { sourceId, destinationId, enabled });
