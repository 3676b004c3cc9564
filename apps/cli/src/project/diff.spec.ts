import { beforeEach, describe, expect, it } from '@jest/globals';
import { MemoryWorkspace } from '../../test/memory-workspace.js';
import { apply } from './apply.js';
import { diff } from './diff.js';
import type { DiffOptions } from './plan.js';
import { planText } from './print.js';
import type { Desired } from './resources.js';

const KINDS = {
  WEBHOOK: {
    secretKeys: ['apiKey', 'headers.to'],
    configSchema: {
      type: 'object',
      required: ['webhookUrl'],
      properties: { webhookUrl: { type: 'string' }, webhookMethod: { enum: ['POST', 'PUT'] } },
    },
  },
};
const shop = {
  name: 'shop',
  type: 'HTTP',
  enabled: true,
  transient: false,
  geoEnrichment: false,
  partitions: 1,
  config: {},
  secrets: {},
};
const hook = {
  ...{ name: 'hook', type: 'WEBHOOK', enabled: true, transformation: 'mask' },
  config: { webhookUrl: 'https://a.example', apiKey: 'top-secret' },
  secrets: { apiKey: 'env.API_KEY' },
  placeOf: () => ({ file: 'weir.yaml', line: 1 }),
};
const mask = { name: 'mask', description: '', code: 'export const a = 1;\nexport const b = 2;' };
const files = (): Desired => ({
  sources: [shop],
  destinations: [hook],
  connections: [{ source: 'shop', destination: 'hook', enabled: true }],
  transformations: [mask],
  libraries: [{ name: 'money', description: '', code: 'export const cents = 1;' }],
  credentials: [{ key: 'maps', value: 'maps-secret', secret: true, secrets: { value: 'env.MAPS' } }],
});

let workspace: MemoryWorkspace;
beforeEach(() => {
  workspace = new MemoryWorkspace(KINDS);
});
const plan = async (desired: Desired, options?: DiffOptions) => diff(desired, await workspace.read(), options);
const done = async (desired: Desired, options?: DiffOptions) => apply(await plan(desired, options), workspace);
const titles = async (desired: Desired, options?: DiffOptions) =>
  (await plan(desired, options)).steps.map(({ action, kind, name }) => `${action} ${kind} ${name}`.trim());

describe('a plan', () => {
  it('makes what others need first, and connects last', async () => {
    expect(await titles(files())).toEqual([
      'create credential maps',
      'create library money',
      'create transformation mask',
      'publish code',
      'create destination hook',
      'create source shop',
      'create connection shop → hook',
    ]);
  });

  it('finds a kind that Weir has not, and says which it may be', async () => {
    const { problems } = await plan({ ...files(), destinations: [{ ...hook, type: 'WEBHOK' }] });
    expect(problems).toEqual(['destination "hook": Weir has no kind WEBHOK. Is it WEBHOOK?']);
  });

  it('leaves out defaults, and says when only others are there', async () => {
    expect(planText(await plan(files()))).not.toContain('partitions');
    await done(files());
    expect(planText(await plan({ ...files(), connections: [] }))).toMatch(/^Nothing to change: what the files name/);
    expect(planText(await plan(files()))).toMatch(/^Nothing to change: the workspace is as the files say/);
  });

  it('reads like this', async () => {
    await done(files());
    const source = { ...shop, enabled: false, privacy: { samples: 'keep' as const, maskedKeys: ['traits.plate'] } };
    const destination = {
      ...hook,
      config: { webhookUrl: 'https://b.example', apiKey: 'other' },
      transformation: undefined,
    };
    const code = { ...mask, code: 'export const a = 1;\nexport const c = 3;' };
    const next = { ...files(), sources: [source], destinations: [destination], transformations: [code], libraries: [] };
    expect(planText(await plan(next))).toBe(`\
  ~ update transformation "mask"
      code: 1 lines added, 1 removed
  ! publish transformation "mask"
  ~ update destination "hook"
      config.webhookUrl: "https://a.example" → "https://b.example"
      config.apiKey: (secret, set from env.API_KEY)
      transformation: "mask" → (removed)
  ~ update source "shop"
      enabled: true → false
      privacy.samples: "mask" → "keep"
      privacy.maskedKeys.0: "traits.plate"

Cannot be compared, because the API does not give them back (--set-secrets writes them again):
  credential "maps": value, set from env.MAPS

In the workspace and not in the files (--prune deletes them):
  library "money"

0 to create, 3 to change, 0 to delete.`);
  });

  it('deletes in the opposite order, and only with prune', async () => {
    await done(files());
    const nothing = {
      ...files(),
      sources: [],
      destinations: [],
      connections: [],
      transformations: [],
      libraries: [],
      credentials: [],
    };
    expect(await titles(nothing)).toEqual([]);
    expect(await titles(nothing, { prune: true })).toEqual([
      'delete connection shop → hook',
      'delete source shop',
      'delete destination hook',
      'delete transformation mask',
      'delete library money',
      'delete credential maps',
    ]);
  });

  it('shows what somebody changed elsewhere, and sets it back', async () => {
    await done(files());
    const [stored] = workspace.destinations.values();
    await workspace.updateDestination({ id: String(stored?.id) }, { enabled: false });
    expect(await titles(files())).toEqual(['update destination hook']);
    await done(files());
    expect(await titles(files())).toEqual([]);
  });

  it('saves tests together with code, shows those that somebody changed, and leaves them alone without a file', async () => {
    const kept = { name: 'keeps', input: [{ n: 1 }], expectedOutput: [{ n: 1 }] };
    const withTests = (...tests: (typeof kept)[]) => ({ ...files(), transformations: [{ ...mask, tests }] });
    await done(withTests(kept));
    expect(await titles(withTests(kept))).toEqual([]);
    const saved = () => [...workspace.code.transformation.values()].map(({ tests }) => tests);
    expect([saved(), await titles(files())]).toEqual([[[kept]], []]);

    const other = { ...kept, expectedOutput: [{ n: 2 }] };
    expect(planText(await plan(withTests(other)))).toBe(`\
  ~ update transformation "mask"
      tests.0.expectedOutput.0.n: 1 → 2
  ! publish transformation "mask"

Cannot be compared, because the API does not give them back (--set-secrets writes them again):
  credential "maps": value, set from env.MAPS

0 to create, 1 to change, 0 to delete.`);
    const [before] = workspace.code.transformation.values();
    await done(withTests(other));
    expect([...workspace.code.transformation.values()]).toEqual([{ ...before, tests: [other] }]);
    await done(withTests());
    expect([saved(), await titles(withTests())]).toEqual([[[]], []]);
  });

  it('deletes nothing that somebody has changed since it was made', async () => {
    await done(files());
    const pruned = await plan({ ...files(), destinations: [], connections: [] }, { prune: true });
    const [stored] = workspace.destinations.values();
    await workspace.updateDestination({ id: String(stored?.id) }, { enabled: false });
    await expect(apply(pruned, workspace)).rejects.toThrow('has changed since it was read');
    expect([...workspace.destinations.values()]).toHaveLength(1);
  });

  it('deletes no transformation that somebody has changed since, though its destination has gone before it', async () => {
    await done(files());
    const none = { ...files(), destinations: [], connections: [], transformations: [] };
    const pruned = await plan(none, { prune: true });
    await done({ ...files(), transformations: [{ ...mask, code: 'export const c = 3;' }] });
    const late = { ...pruned, steps: pruned.steps.filter(({ kind }) => kind === 'transformation') };
    await expect(apply(late, workspace)).rejects.toThrow('has changed since it was read');
    await done(none, { prune: true });
    expect(workspace.code.transformation.size).toBe(0);
  });

  it('leaves privacy alone if the files say nothing about it', async () => {
    await done(files());
    const [source] = workspace.sources.values();
    await workspace.putPrivacy(String(source?.writeKey), { samples: 'off', maskedKeys: [] });
    expect(await titles(files())).toEqual([]);
  });
});

it('connections whose names hold the arrow stay apart', async () => {
  const sources = ['a', 'a → b'].map((name) => ({ ...shop, name }));
  const destinations = ['b → c', 'c'].map((name) => ({ ...hook, name }));
  const connections = [
    { source: 'a', destination: 'b → c', enabled: true },
    { source: 'a → b', destination: 'c', enabled: false },
  ];
  const wanted = { ...files(), sources, destinations, connections };
  await done(wanted);
  expect(await titles(wanted)).toEqual([]);
  expect([...workspace.connections.values()]).toMatchObject([{ enabled: true }, { enabled: false }]);
});

describe('a rename', () => {
  const renamed = (): Desired => ({
    ...files(),
    sources: [{ ...shop, name: 'store', was: 'shop' }],
    destinations: [{ ...hook, name: 'server', was: 'hook', transformation: 'hide' }],
    connections: [{ source: 'store', destination: 'server', enabled: true }],
    transformations: [{ ...mask, name: 'hide', was: 'mask' }],
  });

  it('keeps the resource and its connections', async () => {
    await done(files());
    const before = await workspace.read();
    expect(await titles(renamed())).toEqual([
      'update transformation hide',
      'publish code',
      'update destination server',
      'update source store',
    ]);
    await done(renamed());
    const after = await workspace.read();
    expect(after.sources).toEqual(before.sources.map((one) => ({ ...one, name: 'store', etag: expect.any(String) })));
    expect(after.destinations.map(({ id, name, transformation }) => [id, name, transformation])).toEqual([
      [before.destinations[0]?.id, 'server', 'hide'],
    ]);
    const again = await plan(renamed());
    expect(again.steps).toEqual([]);
    expect(again.notes).toHaveLength(3);
  });

  it('makes the resource in a workspace that never had the old name', async () => {
    await done(renamed());
    expect((await workspace.read()).sources.map(({ name }) => name)).toEqual(['store']);
  });
});

describe('a secret', () => {
  it('that the API shows is compared', async () => {
    await done(files());
    expect(
      await titles({ ...files(), destinations: [{ ...hook, config: { ...hook.config, apiKey: 'new' } }] }),
    ).toEqual(['update destination hook']);
  });

  it('that the API hides is told, and written again on demand', async () => {
    workspace = new MemoryWorkspace(KINDS, false);
    await done(files());
    const { steps, unknownSecrets } = await plan(files());
    expect(steps).toEqual([]);
    expect(unknownSecrets).toEqual([
      'credential "maps": value, set from env.MAPS',
      'destination "hook": config.apiKey, secret, set from env.API_KEY',
    ]);
    const credentials = [{ key: 'maps', value: 'rotated', secret: true, secrets: { value: 'env.MAPS' } }];
    await done({ ...files(), credentials }, { setSecrets: true });
    expect(workspace.credentials.get('maps')).toEqual({ value: 'rotated', isSecret: true });
  });
});

describe('settings', () => {
  const wrong = { ...hook, config: { webhookUrl: 1, webhookMethod: 'BREW' } };
  const empty = { ...hook, name: 'empty', config: {} };

  it('that the server would refuse are problems, all of them at once, and missing ones are warnings', async () => {
    const { problems, warnings } = await plan({
      ...files(),
      destinations: [wrong, empty, { ...wrong, name: 'other' }],
    });
    const refused = (name: string) => [
      `weir.yaml:1: destination "${name}" (WEBHOOK): config.webhookUrl must be a string`,
      `weir.yaml:1: destination "${name}" (WEBHOOK): config.webhookMethod must be one of POST, PUT`,
    ];
    expect(problems).toEqual([...refused('hook'), ...refused('other')]);
    expect(warnings).toEqual([
      'weir.yaml:1: destination "empty" (WEBHOOK) is incomplete and gets no events: add config.webhookUrl',
    ]);
  });

  it('are judged if they are sent: a change of them, and not one of the transformation alone', async () => {
    await done({ ...files(), destinations: [empty], connections: [] });
    const judged = async (one: Desired['destinations'][number]) =>
      (await plan({ ...files(), destinations: [one], connections: [] })).warnings.length;
    expect(await judged(empty)).toBe(0);
    expect(await judged({ ...empty, transformation: undefined })).toBe(0);
    expect(await judged({ ...empty, enabled: false })).toBe(1);
  });
});

describe('a problem', () => {
  it('is a name that nobody has', async () => {
    const { problems } = await plan({ ...files(), transformations: [], sources: [] });
    expect(problems).toEqual([
      'connection to "hook": there is no source "shop". Correct the name, or add the source to the files',
      'destination "hook": there is no transformation "mask". Correct the name, or add the transformation to the files',
    ]);
  });

  it('is a name of what --prune would delete', async () => {
    await done(files());
    const pruned = await plan({ ...files(), transformations: [], sources: [] }, { prune: true });
    expect(pruned.problems).toEqual([
      'connection to "hook": --prune would delete source "shop". Add it to the files',
      'destination "hook": --prune would delete transformation "mask". Add it to the files',
    ]);
  });

  it('is a type or a write key that differs', async () => {
    await done(files());
    const source = { ...shop, type: 'Javascript', writeKey: 'another-key' };
    const { problems } = await plan({ ...files(), sources: [source] });
    const secret = { ...shop, writeKey: 'another-key', writeKeyFrom: 'env.WRITE_KEY' };
    const [problem] = (await plan({ ...files(), sources: [secret] })).problems;
    expect(problem).toMatch(/its write key in the files \(set from env.WRITE_KEY\) is not that of the workspace/);
    expect(problem).not.toMatch(/another-key|wk-/);
    expect(problems).toEqual([
      expect.stringMatching(/^source "shop": its type is HTTP in the workspace and Javascript in the files/),
      expect.stringMatching(/^source "shop": its write key in the files is not that of the workspace/),
    ]);
  });

  it('is another number of partitions while the source is enabled, because the server refuses it', async () => {
    await done(files());
    const spread = { ...shop, partitions: 4 };
    const refused = [
      expect.stringMatching(/^source "shop": its partitions change only while it is disabled. Write 1, or/),
    ];
    expect((await plan({ ...files(), sources: [spread] })).problems).toEqual(refused);
    expect((await plan({ ...files(), sources: [{ ...spread, enabled: false }] })).problems).toEqual(refused);
    await done({ ...files(), sources: [{ ...shop, enabled: false }] });
    await done({ ...files(), sources: [spread] });
    expect([...workspace.sources.values()]).toMatchObject([{ enabled: true, partitions: 4 }]);
    expect(await titles({ ...files(), sources: [spread] })).toEqual([]);
  });
});

it('an apply that was killed between drafts and publish goes on with the drafts', async () => {
  workspace.requestsLeft = 3;
  await expect(done(files())).rejects.toThrow('killed');
  workspace.requestsLeft = Number.POSITIVE_INFINITY;
  expect((await titles(files())).slice(0, 2)).toEqual(['publish code', 'create destination hook']);
  await done(files());
  expect(await titles(files())).toEqual([]);
});
