import { describe, expect, it, jest } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { DestinationPart } from '../units/delivery-unit.js';
import { LiveCode } from './live-code.js';

const destination = { id: 'd1', workspaceId: 'w1', name: 'Hook', type: 'WEBHOOK', enabled: true, sealedConfig: '' };
const release = { workspaceId: 'w1', versionId: 'v1', libraryVersionIds: [] };
const SOURCES = { s1: { id: 's1', name: 'Shop', type: 'HTTP' } };

/** Live code whose runs say how many events they had. */
function liveCode() {
  const runs: JsonObject[][] = [];
  const code = {
    run: async (_release: unknown, inputs: { message: JsonObject; metadata: JsonObject }[]) => {
      runs.push(inputs.map(({ metadata }) => metadata));
      return inputs.map(({ message }) => ({ status: 'ok', outputs: [{ ...message, of: inputs.length }] }));
    },
  };
  const inventory = {
    destination: () => destination,
    source: (id: string) => SOURCES[id as keyof typeof SOURCES],
    allowsFetch: () => false,
  };
  const note = { note: jest.fn(), count: jest.fn() };
  const releases = { loaded: Promise.resolve(), get: () => release };
  const args = [inventory, releases, code, note, note] as unknown as ConstructorParameters<typeof LiveCode>;
  return { live: new LiveCode(...args), runs };
}

const part = (sourceId: string, ...names: string[]) =>
  ({
    workspaceId: 'w1',
    sourceId,
    events: names.map((event) => ({ type: 'track', event })),
  }) as unknown as DestinationPart;

describe('live code of events from several sources', () => {
  const [shop, app] = [part('s1', 'a', 'b'), part('s2', 'c')];
  const events = [
    { part: shop, index: 0 },
    { part: app, index: 0 },
    { part: shop, index: 1 },
  ];

  it('runs for each source alone, and its results keep the order of the events', async () => {
    const outcomes = await liveCode().live.run('d1', events, { isAgain: false });
    const shown = outcomes.flatMap((outcome) => ('outputs' in outcome ? outcome.outputs : [])) as JsonObject[];
    expect(shown.map(({ event, of }) => [event, of])).toEqual([
      ['a', 2],
      ['c', 1],
      ['b', 2],
    ]);
  });

  it('is told the name of a source, or only the id of one that is deleted', async () => {
    const { live, runs } = liveCode();
    await live.run('d1', events, { isAgain: false });
    expect(runs.map(([metadata]) => metadata)).toMatchObject([
      { sourceId: 's1', sourceName: 'Shop', sourceType: 'HTTP' },
      { sourceId: 's2' },
    ]);
    expect(runs[1]?.[0]).not.toHaveProperty('sourceName');
  });

  it('runs without what is known if the message has left memory', async () => {
    const { live, runs } = liveCode();
    await live.run('d1', [{ part: undefined, index: 0 }], { isAgain: true });
    expect(runs).toEqual([[{}]]);
  });
});
