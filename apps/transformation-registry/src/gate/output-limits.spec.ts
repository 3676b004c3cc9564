import { describe, expect, it } from '@jest/globals';
import { transformationOutput } from './judge.js';
import { bounded } from './output-limits.js';

const node = { id: 'i', versionId: 'v', name: 'N', imports: ['l'] };
const testResult = (size: number) => ({
  status: 'error' as const,
  results: [
    {
      name: 'r',
      status: 'error' as const,
      actualOutput: [{ text: 'x'.repeat(size) }],
      errors: [{ message: 'Error: e' }],
    },
  ],
});

const limits = { outputBytes: 1_200, evidenceBytes: 500, logBytes: 20, comparisonBytes: 300 };

describe('a bounded answer', () => {
  const bad = transformationOutput(node, testResult(1));

  it('leaves out what does not fit one message, never a verdict', () => {
    const large = transformationOutput(node, testResult(900));
    const { transformations } = bounded({ libraries: [], transformations: [large, large, bad] }, limits);
    expect(transformations.map(({ pass, message }) => [pass, message])).toEqual(Array(3).fill([false, 'Error: e']));
    expect(transformations.map(({ testResult: { results } }) => results[0]?.actualOutput.length)).toEqual([1, 0, 1]);
    expect(transformations[1]?.testResult.results[0]?.errors).toEqual([{ message: 'Error: e' }]);
  });

  it('shows the first events and lines of log that fit, and how many events more there were', () => {
    const event = { input: { a: 1 }, outcome: 'kept' as const, outputs: [{ a: 1 }], keysAdded: [], keysRemoved: [] };
    const [result] = testResult(1).results;
    if (!result) throw new Error('there is one');
    const fetches = [{ method: 'GET', url: 'https://example.com/long', status: 200, milliseconds: 1 }];
    const logged = { ...result, events: Array(9).fill(event), logs: ['Log: 1', 'Log: 2', 'Log: 3'], fetches };
    const item = transformationOutput(node, { status: 'error', results: [logged] });
    const { transformations } = bounded({ libraries: [], transformations: [item] }, limits);
    const shown = transformations[0]?.testResult.results[0];
    expect(shown?.logs).toEqual(['Log: 1', 'Log: 2']);
    expect(shown).not.toHaveProperty('fetches');
    expect(shown?.events?.length).toBeGreaterThan(0);
    expect((shown?.events?.length ?? 0) + (shown?.eventsLeftOut ?? 0)).toBe(9);
    expect(bounded(bounded({ libraries: [], transformations: [item] }), limits)).toEqual(
      bounded({ libraries: [], transformations: [item] }, limits),
    );
  });

  it('shows the first differences of a comparison that fit', () => {
    const outcome = { outcome: 'kept' as const, outputs: [{ a: 1 }] };
    const keys = { keysAdded: [], keysRemoved: [], keysChanged: [] };
    const differences = Array(9).fill({ input: {}, live: outcome, next: outcome, ...keys });
    const replay = { liveVersionId: null, samples: 20, changed: 9, differences };
    const { transformations } = bounded({ libraries: [], transformations: [{ ...bad, replay }] }, limits);
    const shown = transformations[0]?.replay;
    expect(shown).toMatchObject({ samples: 20, changed: 9 });
    expect([shown?.differences.length, shown?.differencesLeftOut]).toEqual([1, 8]);
  });
});
