import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyJson } from '../../../test/any-json.js';
import { DEFINITIONS } from '../../../test/incumbent.js';
import { loaded } from '../../../test/loaded-import.js';
import { ANSWERS, destination, INSERT_CODE, insertFunction, instance, source } from '../../../test/segment.js';
import { filesOf } from '../../project/files.js';
import { noCode } from '../definitions.js';
import { Import } from '../import.js';
import { leaves } from '../ledger.js';
import { reportOf } from '../report.js';
import { importSegment } from './segment.js';
import { wrapped } from './wrapper.js';

function imported(documents: Record<string, unknown>): Import {
  const into = new Import(DEFINITIONS, noCode);
  importSegment(documents, into);
  return into;
}

/** The plan once the owner has set what Segment did not tell. */
const planOf = (into: Import) =>
  loaded(into, Object.fromEntries(Object.keys(into.project.variables).map((name) => [name, 'told later'])));

const pathsOf = (documents: Record<string, unknown>) =>
  Object.entries(documents).flatMap(([name, json]) => leaves(json, [name]).map((path) => path.join('.')));

describe.each(Object.entries(ANSWERS))('answers with %s', (_, documents) => {
  it('have each value mapped or told, the files can be read, and no secret is in them', () => {
    const into = imported(documents);
    const entries = into.ledger.entries();
    expect(entries.map(({ path }) => path)).toEqual(pathsOf(documents));
    const unknown = entries.filter(({ path, what }) => what.includes('does not know this') && path.includes('.json.'));
    expect(unknown).toEqual([]);
    planOf(into);
    expect(JSON.stringify([filesOf(into.project), reportOf(into), entries])).not.toContain('clear-text-secret');
  });
});

it('answers become sources with their write keys, destinations, connections and wrapped code', () => {
  const into = imported(ANSWERS['every key'] ?? {});
  const desired = planOf(into);
  expect(desired.sources).toMatchObject([
    { name: 'shop', type: 'Javascript', writeKey: '1puvbvMW2mxWvfFFnPIv5TTv4wLabcde', config: { forgetIp: true } },
  ]);
  expect(desired.destinations).toMatchObject([
    {
      ...{ name: 'hook', type: 'WEBHOOK', transformation: 'Regions' },
      config: { webhookUrl: 'https://a.example', headers: [{ from: 'authorization', to: 'clear-text-secret' }] },
    },
  ]);
  expect(desired.connections).toEqual([{ source: 'shop', destination: 'hook', enabled: true }]);
  expect(desired.credentials).toMatchObject([{ key: 'apiKey', value: 'told later', secret: true }]);
  expect(into.losses.map(({ what }) => what)).toEqual(expect.arrayContaining(['source "shop": write key']));
});

it('a masked secret is a variable to set, and never its end', () => {
  const into = imported(ANSWERS['a vendor, masked secrets and references'] ?? {});
  const { config } = planOf(into).destinations[0] ?? {};
  expect(config).toEqual({ restApiKey: 'told later', dataCenter: '{{ env.HOME }}' });
  expect(into.env).toEqual({});
});

it('tells what events would lose', () => {
  const text = (name: string) => reportOf(imported(ANSWERS[name] ?? {}));
  expect(text('kinds and sources that Weir has not')).toContain('destination "hook" (google-adwords)');
  expect(text('several answers in one file, with more pages')).toContain('all.json: further pages');
  expect(text('instances on two pages')).not.toContain('further pages');
  const functions = text('functions of other kinds, and instances that are off');
  for (const type of ['SOURCE', 'DESTINATION', 'NEW']) expect(functions).toContain(`function "Regions" (${type})`);
});

const ALL_ARE_OFF = [
  'all destinations',
  expect.stringMatching(/^They are written disabled, .* Ask for the instances of each insert function/),
];
const IS_OFF = ['destination "hook": transformation', expect.stringMatching(/written disabled/)];

it.each([
  ['instances under the name of the documentation', [{ transformation: 'Regions' }], []],
  ['insert functions, and not where they stand', [{ enabled: false }], [ALL_ARE_OFF]],
  [
    'instances of one of two functions',
    [{ transformation: 'Regions', enabled: false }, { enabled: false }],
    [ALL_ARE_OFF],
  ],
  ['instances on further pages', [{ enabled: false }], [ALL_ARE_OFF]],
  ['instances on two pages', [{ transformation: 'Regions' }], []],
  ['instances of one of two functions, on two pages', [{ transformation: 'Regions', enabled: false }], [ALL_ARE_OFF]],
  [
    'instances on further pages, beside those of another function',
    [{ transformation: 'Regions', enabled: false }],
    [ALL_ARE_OFF],
  ],
  ['an instance whose function is not there', [{ enabled: false }, {}], [IS_OFF]],
  ['two functions before one destination', [{ transformation: 'Regions', enabled: false }], [IS_OFF]],
  ['functions of other kinds, and instances that are off', [{}], []],
  ['a function that stands nowhere', [{ transformation: 'Regions' }], []],
])('no destination is on without its code: %s', (name, destinations, losses) => {
  const into = imported(ANSWERS[name] ?? {});
  const written = into.project.destinations.map(({ enabled, transformation }) => ({
    ...(enabled !== undefined && { enabled }),
    ...(transformation !== undefined && { transformation }),
  }));
  expect(written).toEqual(destinations);
  const told = into.losses.filter(({ events }) => events.includes('written disabled'));
  expect(told.map(({ what, events }) => [what, events])).toEqual(losses);
});

it('a function in front of two destinations has the settings of each', () => {
  const { project } = imported(ANSWERS['a function before two destinations, with a secret in the clear'] ?? {});
  expect(project.destinations).toMatchObject([{ transformation: 'Regions' }, { transformation: 'Regions (2)' }]);
  expect(project.transformations.map(({ code }) => /"region": "(\w+)"/.exec(code)?.[1])).toEqual(['eu', 'us']);
});

it.each([
  [
    { type: 'track', event: 'Bought', userId: 'u1' },
    { type: 'track', event: 'Bought', userId: 'u1', properties: { region: 'eu' } },
  ],
  [{ type: 'track', event: 'Spam' }, null],
  [{ type: 'track', event: 'Bought' }, null],
  [{ type: 'track', event: 'Nothing', userId: 'u1' }, null],
  [{ type: 'page', userId: 'u1' }, null],
])('wrapped code makes of %j what it made at Segment', async (event, made) => {
  expect(await (await codeOf(INSERT_CODE)).transformEvent(event)).toEqual(made);
});

it.each(['Broken', 'Later'])('an error of wrapped code stays one: %s', async (event) => {
  const { transformEvent } = await codeOf(INSERT_CODE);
  await expect(transformEvent({ type: 'track', event, userId: 'u1' })).rejects.toThrow();
});

async function codeOf(code: string): Promise<{ transformEvent(event: object): Promise<unknown> }> {
  const text = wrapped(code, [{ name: 'region', value: 'eu' }]);
  return import(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
}

it('loses no value silently, whatever an answer holds', () => {
  const value = anyJson(
    'data',
    'sources',
    'destinations',
    'functions',
    'settings',
    'id',
    'metadata',
    'hooks',
    '0',
    'new.key',
  );
  fc.assert(
    fc.property(value.object, value.any, (more, settings) => {
      const fields = { ...Object(more), settings };
      const whole = {
        sources: [source(fields)],
        destinations: [destination({ settings }), destination(fields)],
        functions: [insertFunction({ settings })],
        insertFunctionInstances: [instance({ settings })],
      };
      for (const json of [more, settings, whole, { data: whole, more }])
        expect(
          imported({ a: json })
            .ledger.entries()
            .map(({ path }) => path),
        ).toEqual(pathsOf({ a: json }));
    }),
    { numRuns: 100 },
  );
});
