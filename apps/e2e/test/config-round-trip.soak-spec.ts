import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { api } from '@weir/testing';
import { type Configuration, configurations, type Kind } from './support/configurations.js';
import { roundTrip, type Target } from './support/round-trip.js';

const COUNT = 50;
/** Configurations that go their ways at the same time, each in a workspace of its own. */
const AT_ONCE = 5;
const FIRSTS = Array.from({ length: COUNT / AT_ONCE }, (_, batch) => batch * AT_ONCE);
/** Another seed makes other configurations: WEIR_TEST_SEED=7 npm run -s jest -- config-round-trip --selectProjects soak */
const SEED = Number(process.env['WEIR_TEST_SEED'] ?? 17);

const stack = useStack();
let kinds: Kind[];
let all: Configuration[];
beforeAll(async () => {
  kinds = (await api(stack().address).get('/destination-definitions')).body;
  all = configurations(kinds, COUNT, SEED);
});

async function target(): Promise<Target> {
  const operator = api(stack().address, 'admin');
  const { workspace } = (await operator.post('/admin/workspaces', { name: 'round trip' })).body;
  const asked = { workspaceId: workspace.id, email: 'a@example.com', name: 'round trip', role: 'admin' };
  const { accessToken } = (await operator.post('/admin/access-tokens', asked)).body;
  return { url: stack().address.urls[0] ?? '', token: accessToken.token };
}

describe(`${COUNT} generated configurations`, () => {
  it('have a destination of each kind', () => {
    const types = new Set(all.flatMap(({ files }) => Object.values(files)).flatMap((text) => typesIn(text)));
    expect(kinds.filter(({ name }) => !types.has(name))).toEqual([]);
  });

  it.each(FIRSTS)('from number %i on are the same after export, destroy, apply and export', async (first) => {
    const numbers = Array.from({ length: AT_ONCE }, (_, at) => first + at);
    await Promise.all(numbers.map(tried));
  });
});

/** Says which configuration failed, and with which seed it comes back. */
async function tried(number: number): Promise<void> {
  const configuration = all[number] as Configuration;
  await roundTrip(configuration, await target()).catch((error) => {
    const what = `configuration ${number} of seed ${SEED}`;
    throw new Error(`${what}: ${error.message}\n${JSON.stringify(configuration)}`, { cause: error });
  });
}

/** The values of `type` in a file of JSON. */
const typesIn = (text: string): string[] =>
  [...text.matchAll(/"type":"([A-Z_0-9a-z]+)"/g)].map(([, type]) => String(type));
