import { afterAll, expect } from '@jest/globals';
import { InventoryMirror } from '@weir/inventory';
import { type TestNats, uniqueName } from '@weir/testing';
import type { clientOf } from './client.js';

type Client = ReturnType<typeof clientOf>;

/** No test ever creates this KSUID, which comes from an example. */
export const UNKNOWN = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
export const KSUID = expect.stringMatching(/^[0-9A-Za-z]{27}$/);
export const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** The bucket as another process sees it. */
export function useMirror(nats: TestNats): () => Promise<InventoryMirror> {
  let mirror: InventoryMirror | undefined;
  afterAll(() => mirror?.stop());
  return async () => {
    if (!mirror) {
      mirror = new InventoryMirror(nats.connection, { warn: () => {} });
      await mirror.start();
    }
    return mirror;
  };
}

/** Bodies of requests. */
export const sourceBody = (fields: object = {}) => ({ name: uniqueName('source'), type: 'HTTP', ...fields });
export const destinationConfig = {
  ...{ webhookUrl: 'https://example.com/hook', apiKey: 'key-1' },
  headers: [{ from: 'x-a', to: 'header-1' }],
};
export const destinationBody = (fields: object = {}) => ({
  ...{ name: uniqueName('hook'), type: 'WEBHOOK', config: destinationConfig },
  ...fields,
});

/** An entry with all its fields, as the API answers. */
export async function made(client: Client, kind: 'source' | 'destination' | 'connection', body: object) {
  const answer = await client.post(`/v2/${kind}s`, body);
  expect(answer).toMatchObject({ status: 200, body: { [kind]: { id: KSUID } } });
  return answer.body[kind];
}

export async function madePair(client: Client) {
  const source = await made(client, 'source', sourceBody());
  const destination = await made(client, 'destination', destinationBody());
  const connection = await made(client, 'connection', { sourceId: source.id, destinationId: destination.id });
  return { source, destination, connection };
}

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
