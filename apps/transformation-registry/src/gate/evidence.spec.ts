import { describe, expect, it } from '@jest/globals';
import { eventEvidence, evidenceOf } from './evidence.js';

const input = { type: 'track', user: { name: 'Ada', mail: 'a@example.com' }, tags: [1], empty: {} };

describe('the evidence of an event', () => {
  it('names the keys that came and went by their dotted paths', () => {
    const outputs = [{ type: 'track', user: { name: 'A.' }, tags: [2], masked: { by: 'me' } }];
    expect(eventEvidence(input, { status: 'ok', outputs })).toEqual({
      input,
      outcome: 'kept',
      outputs,
      keysAdded: ['masked.by'],
      keysRemoved: ['user.mail', 'empty'],
    });
  });

  it('takes a key that any output of a fan-out keeps as kept', () => {
    const outputs = [{ type: 'track', tags: [], empty: {} }, { user: input.user }];
    expect(eventEvidence(input, { status: 'ok', outputs })).toMatchObject({
      outcome: 'fanned_out',
      keysAdded: [],
      keysRemoved: [],
    });
  });

  it('says that an event was dropped, or where the code failed', () => {
    const error = { message: 'Error: no', frame: { file: 'T', line: 3, column: 9 } };
    const evidence = evidenceOf([input, input], [{ status: 'dropped' }, { status: 'error', error }]);
    expect(evidence).toMatchObject([
      { outcome: 'dropped', outputs: [] },
      { outcome: 'failed', outputs: [], error },
    ]);
  });

  it('tells how long the code took for each event, where it is known', () => {
    const error = { message: 'Error: no' };
    const results = [
      { status: 'ok' as const, outputs: [input], milliseconds: 1.5 },
      { status: 'dropped' as const, milliseconds: 0.25 },
      { status: 'error' as const, error, milliseconds: 2 },
    ];
    const times = evidenceOf([input, input, input], results).map(({ milliseconds }) => milliseconds);
    expect(times).toEqual([1.5, 0.25, 2]);
    expect(eventEvidence(input, { status: 'dropped' })).not.toHaveProperty('milliseconds');
  });

  it('lists a bounded number of keys', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`k${n}`, n]));
    expect(eventEvidence({}, { status: 'ok', outputs: [many] }).keysAdded).toHaveLength(100);
  });
});
