import { describe, expect, it } from '@jest/globals';
import type { EventOutcome } from './shown-events.js';
import { bounded, maskOf } from './shown-events.js';

describe('what a result shows', () => {
  it('masks the values of credentials in texts and keys, the longest first, and leaves short ones and numbers', () => {
    const mask = maskOf([{ value: 'key1' }, { value: 'key1-long' }, { value: '123' }, { value: '4567' }]);
    expect(mask({ url: '/?k=key1-long&l=key1', list: [{ key1: 'x', n: 4567 }], short: '123', none: null })).toEqual({
      ...{ url: '/?k=***&l=***', list: [{ '***': 'x', n: 4567 }], short: '123', none: null },
    });
  });

  it('has the outcome of each event, and the content of as many as a reader can take', () => {
    const event = { text: 'x'.repeat(3 * 1_024 * 1_024) };
    const one: EventOutcome = {
      ...{ transformation: 't', test: 'samples', event, outcome: 'same', changes: [], outputs: [] },
    };
    const shown = bounded([one, one, one]);
    expect(shown.map(({ isCut = false, outcome }) => [isCut, outcome])).toEqual([
      [false, 'same'],
      [false, 'same'],
      [true, 'same'],
    ]);
    expect(JSON.stringify(shown).length).toBeLessThan(8 * 1_024 * 1_024);
  });
});
