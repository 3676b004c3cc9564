// A walk through Weir with a client made from its OpenAPI document: create, publish, send, find, replay.
//
//   npx openapi-typescript http://localhost:8080/openapi.json --default-non-nullable=false -o weir.d.ts
//   npm install openapi-fetch
//   WEIR_URL=http://localhost:8080 WEIR_TOKEN=... HOOK_URL=https://example.com/events npx tsx walk.ts
import createClient from 'openapi-fetch';
import type { components, paths } from './weir.js';

const { WEIR_URL: baseUrl = '', WEIR_TOKEN: token = '', HOOK_URL: hook = '' } = process.env;
const weir = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const name = `walk ${Date.now().toString(36)}`;

const { source } = must(await weir.POST('/v2/sources', { body: { name, type: 'HTTP' } }));

// The type of a destination decides the form of its settings. This server refuses the first event.
const config: components['schemas']['WebhookConfig'] = { webhookUrl: hook, webhookMethod: 'POST' };
const { destination } = must(await weir.POST('/v2/destinations', { body: { name, type: 'WEBHOOK', config } }));
must(await weir.POST('/v2/connections', { body: { sourceId: source.id, destinationId: destination.id } }));

const code =
  'export const transformEvent = (event) => ({ ...event, properties: { ...event.properties, checked: true } });';
must(
  await weir.POST('/transformations', {
    params: { query: { publish: true } },
    body: { name, code, destinationIds: [destination.id] },
  }),
);

const messageId = `${name} m1`;
const event = { messageId, userId: 'u1', event: 'Order Placed', properties: { total: 42 } };
const headers = { authorization: `Basic ${btoa(`${source.writeKey}:`)}` };
must(await weir.POST('/v1/track', { body: event, headers, parseAs: 'text' }));

const { id, stage, reason } = await whereItFailed();
console.log(`${event.event} failed at ${stage}: ${reason}`);

const { deliveries } = must(await weir.POST('/v2/deliveries/replay', { body: { ids: [id], dryRun: false } }));
console.log(`${deliveries} replayed`);

/** Asks where the event is, until it has failed for good. What happens to an event is known within a second. */
async function whereItFailed() {
  for (;;) {
    const found = await weir.GET('/v2/events/{messageId}', { params: { path: { messageId } } });
    const last = found.response.status === 404 ? undefined : must(found).destinations[0]?.steps.at(-1);
    if (last?.deliveryId) return { ...last, id: last.deliveryId };
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** The answer. Throws with what Weir says to change. */
function must<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
}
