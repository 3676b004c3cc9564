import fc from 'fast-check';
import type { JsonObject } from '../src/project/json.js';
import type { Actual } from '../src/project/resources.js';
import { MemoryWorkspace } from './memory-workspace.js';

/** Kinds of destinations in generated workspaces. They accept any settings. */
const KINDS = {
  WEBHOOK: { secretKeys: ['apiKey', 'headers.to'], configSchema: {} },
  REDIS: { secretKeys: ['password'], configSchema: {} },
};

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '{{ env.HOME }}',
    '{{! env.X }}',
    '{{ event.path || default }}',
    '# no comment',
    '- a',
    'null',
    '1',
    'yes\n',
    'it\'s: "x"',
  ),
);
const name = fc.oneof(
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }).map((one) => `n${one}`.trim()),
  fc.constantFrom('My hook', 'my-hook', 'true', '12', 'shop: web', '../up', 'ünï'),
);
const names = fc.uniqueArray(name, { minLength: 1, maxLength: 4 });
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.stringMatching(/^[a-zA-Z][\w. -]{0,8}$/), tie('value'), { maxKeys: 3 }),
}));
const config = json.object as fc.Arbitrary<JsonObject>;
const secret = fc.oneof(text, fc.integer()).map((one) => (one === '***' ? 'stars' : one));
const code = fc.record({
  description: text,
  code: fc.string({ unit: 'grapheme', maxLength: 80 }).map((one) => `// ${one}`),
});
const tests = fc.array(
  fc.record({
    name: text,
    input: fc.array(config, { maxLength: 2 }),
    expectedOutput: fc.array(config, { maxLength: 2 }),
  }),
  { maxLength: 2 },
);
const privacy = fc.record({
  samples: fc.constantFrom('keep' as const, 'mask' as const, 'off' as const),
  maskedKeys: fc.array(fc.stringMatching(/^[a-z]{1,5}\.[a-z]{1,5}$/), { maxLength: 2 }),
});
const flags = {
  ...{ enabled: fc.boolean(), transient: fc.boolean(), geoEnrichmentEnabled: fc.boolean() },
  partitions: fc.integer({ min: 1, max: 16 }),
};
const pick = fc.nat();

/** Everything that a generated workspace has, before it is made. */
export const sample = fc.record({
  sources: fc.tuple(names, fc.array(fc.record({ ...flags, config, privacy }), { minLength: 4, maxLength: 4 })),
  destinations: fc.tuple(
    names,
    fc.array(fc.record({ enabled: fc.boolean(), config, secret, isHook: fc.boolean(), link: pick }), {
      minLength: 4,
      maxLength: 4,
    }),
  ),
  transformations: fc.tuple(names, fc.array(code, { minLength: 4, maxLength: 4 })),
  /** Saved tests of the transformations. */
  tests: fc.array(tests, { minLength: 4, maxLength: 4 }),
  libraries: fc.tuple(names, fc.array(code, { minLength: 4, maxLength: 4 })),
  credentials: fc.dictionary(
    fc.stringMatching(/^[\w.-]{1,8}$/).filter((key) => key !== '.' && key !== '..'),
    fc.record({ value: fc.string({ minLength: 1 }), isSecret: fc.boolean() }),
    { maxKeys: 3 },
  ),
  connections: fc.array(fc.record({ source: pick, destination: pick, enabled: fc.boolean() }), { maxLength: 5 }),
});
export type Sample = ReturnType<typeof sample.generate>['value'];

/** A workspace in memory with these contents, and what an export of it needs from the environment. */
export async function workspaceOf(from: Sample): Promise<MemoryWorkspace> {
  const workspace = new MemoryWorkspace(KINDS);
  for (const [key, body] of Object.entries(from.credentials)) await workspace.putCredential(key, body);
  const transformations = await publish(workspace, 'transformation', from.transformations, from.tests);
  await publish(workspace, 'library', from.libraries);
  const sources: string[] = [];
  for (const [at, one] of from.sources[0].entries()) {
    const { privacy: settings, ...rest } = item(from.sources[1], at);
    const { id, writeKey } = await workspace.createSource({ name: one, type: 'HTTP', ...rest });
    await workspace.putPrivacy(writeKey, settings);
    sources.push(id);
  }
  const destinations: string[] = [];
  for (const [at, one] of from.destinations[0].entries()) {
    const { enabled, isHook, link, ...rest } = item(from.destinations[1], at);
    const secrets = isHook ? { headers: [{ from: 'a', to: rest.secret }] } : { password: rest.secret };
    const type = isHook ? 'WEBHOOK' : 'REDIS';
    const { id } = await workspace.createDestination({
      name: one,
      type,
      enabled,
      config: { ...rest.config, ...secrets },
    });
    const linked = transformations[link % (transformations.length + 1)];
    if (linked) await workspace.link(id, linked);
    destinations.push(id);
  }
  const pairs = new Set<string>();
  for (const { source, destination, enabled } of from.connections) {
    const [sourceId, destinationId] = [
      item(sources, source % sources.length),
      item(destinations, destination % destinations.length),
    ];
    if (pairs.has(`${sourceId}${destinationId}`)) continue;
    pairs.add(`${sourceId}${destinationId}`);
    await workspace.createConnection({ sourceId, destinationId, enabled });
  }
  return workspace;
}

async function publish(
  workspace: MemoryWorkspace,
  kind: 'transformation' | 'library',
  [list, contents]: Sample['libraries'],
  tests: Sample['tests'] = [],
) {
  const ids: string[] = [];
  for (const [at, one] of list.entries()) {
    const draft = await workspace.draft(kind, undefined, { name: one, ...item(contents, at) });
    await workspace.publish([{ ...draft, tests: tests[at] }]);
    ids.push(draft.id);
  }
  return ids;
}

/** The environment that gives every reference of an export its value. */
export function environmentOf(actual: Actual, values: Sample['credentials'], variables: Record<string, string>) {
  const env: Record<string, string> = {};
  for (const [variable, place] of Object.entries(variables)) {
    const [, kind, owner, path] = /^(\w+) "(.*?)"(?:: ([^"]*))?$/s.exec(place) ?? [];
    const found = kind === 'credential' ? values[String(owner)]?.value : at(actual, String(owner), String(path));
    env[variable] = typeof found === 'string' ? found : JSON.stringify(found);
  }
  return env;
}

function at(actual: Actual, owner: string, path: string): unknown {
  const destination = actual.destinations.find(({ name: one }) => one === owner);
  return path.split('.').reduce<unknown>((value, key) => Reflect.get(Object(value), key), destination?.config);
}

function item<T>(list: readonly T[], index: number): T {
  const found = list[index];
  if (found === undefined) throw new Error('the list is too short');
  return found;
}
