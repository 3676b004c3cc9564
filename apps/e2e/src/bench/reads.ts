import { performance } from 'node:perf_hooks';
import { launchStack, removeStack } from '@weir/local';
import { basic } from '@weir/testing';
import { cpuSeconds } from './cpu.js';
import { load, type Request } from './load.js';
import { addVersions } from './reads-versions.js';
import { figure, latencies } from './report.js';

const SERVICE = 'schema-service.main';
const VERSIONS_DEFAULT = 1_000_000;
const READ_SECONDS = 5;
const MICROSECONDS = 1_000_000;

/** `npm run bench -- reads [versions]`: reads of area D beside many versions, one at a time, through the gateway. */
export async function reads(): Promise<void> {
  const versions = Number(process.argv[3] ?? VERSIONS_DEFAULT);
  const stack = await launchStack({ processes: ['gateway.main', SERVICE] });
  try {
    const startedAt = performance.now();
    const eventIds = await addVersions(stack.address.databaseUrl, versions);
    figure(`${versions.toLocaleString('en')} versions written`, (performance.now() - startedAt) / 1_000, 's', 1);
    const { user, password } = stack.address.admin;
    const sources = Math.max(1, Math.floor(versions / 10_000));
    for (const [name, path] of Object.entries(readsOf(eventIds, sources))) {
      const make = (n: number): Request => ({
        url: `${stack.url}/schemas/${path(n)}`,
        method: 'GET',
        authorization: basic(user, password),
      });
      const before = cpuSeconds(stack.programs()).get(SERVICE) ?? Number.NaN;
      const { latencies: ascending, requests, failed } = await load({ concurrency: 1, seconds: READ_SECONDS, make });
      const cpu = (cpuSeconds(stack.programs()).get(SERVICE) ?? Number.NaN) - before;
      latencies(`GET ${name}`, ascending);
      figure(`GET ${name}: CPU of the service`, (cpu * MICROSECONDS) / requests, 'µs a read');
      if (failed > 0) figure(`GET ${name}: not answered with 200`, failed, '');
    }
  } finally {
    await removeStack(stack);
  }
}

/** Paths by name. The lists have 100 rows. */
function readsOf(eventIds: readonly string[], sources: number): Record<string, (n: number) => string> {
  const source = (n: number) => `WriteKey=stored-${n % sources}`;
  const model = (n: number) => eventIds[n % eventIds.length];
  return {
    'event-models': (n) => `event-models?${source(n)}`,
    'event-versions': (n) => `event-versions?EventID=${model(n)}`,
    'key-counts': (n) => `event-model/${model(n)}/key-counts`,
    keys: (n) => `event-model/${model(n)}/keys`,
    metadata: (n) => `event-model/${model(n)}/metadata`,
    drift: (n) => `drift?${source(n)}`,
    'drift of one kind': () => 'drift?Kind=new_type',
  };
}
