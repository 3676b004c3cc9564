import { performance } from 'node:perf_hooks';
import { launchStack, removeStack } from '@weir/local';
import { api, basic } from '@weir/testing';
import { load, type Request } from './load.js';
import { figure, latencies } from './report.js';
import { addTraces, EVENTS_PER_USER } from './trace-rows.js';

const EVENTS_DEFAULT = 10_000_000;
const READ_SECONDS = 20;
/** Prime, so that reads meet the events in no order. */
const STRIDE = 7_368_787;

/** `npm run bench -- trace-reads [events]`: what happened to an event and to the events of a user, beside many kept events. */
export async function traceReads(): Promise<void> {
  const events = Number(process.argv[3] ?? EVENTS_DEFAULT);
  const stack = await launchStack({ processes: ['gateway.main', 'delivery-service.main'] });
  try {
    const client = api(stack.address);
    const { source } = (await client.post('/v2/sources', { name: 'bench', type: 'HTTP', enabled: true })).body;
    const startedAt = performance.now();
    const { workspaceId, id: sourceId } = source;
    await addTraces(stack.address.databaseUrl, events, { workspaceId, sourceId, destinationId: sourceId });
    figure(`${events.toLocaleString('en')} events written`, (performance.now() - startedAt) / 1_000, 's', 1);
    const authorization = basic('', stack.address.accessToken);
    for (const [name, path] of Object.entries(readsOf(events))) {
      const make = (n: number): Request => ({ url: stack.url + path(n), method: 'GET', authorization });
      const { latencies: ascending, requests, failed } = await load({ concurrency: 1, seconds: READ_SECONDS, make });
      latencies(name, ascending);
      figure(`${name}: reads`, requests, '');
      if (failed > 0) figure(`${name}: not answered with 200`, failed, '');
    }
  } finally {
    await removeStack(stack);
  }
}
/** Paths by name. The first one shows what the machine itself needs for a read. */
function readsOf(events: number): Record<string, (n: number) => string> {
  const users = Math.ceil(events / EVENTS_PER_USER);
  return {
    'GET /v2/workspace, to compare': () => '/v2/workspace',
    'an event': (n) => `/v2/events/message-${(n * STRIDE) % events}`,
    'a user with ten events': (n) => `/v2/events?userId=user-${1 + ((n * STRIDE) % (users - 1))}`,
    'a user with many events': () => '/v2/events?userId=user-0',
  };
}
