import { describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { changedKeys, comparisonOf, eventEvidence, evidenceOf } from './evidence.js';

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

  it('counts a failure that repeats and shows its first event', () => {
    const boom = { status: 'error' as const, error: { message: 'Error: boom' } };
    const other = { status: 'error' as const, error: { message: 'Error: other' } };
    const events = [1, 2, 3, 4, 5].map((n) => ({ n }));
    const evidence = evidenceOf(events, [boom, { status: 'dropped' }, boom, other, boom]);
    expect(evidence.map(({ input, outcome, count }) => [input, outcome, count])).toEqual([
      [{ n: 1 }, 'failed', 3],
      [{ n: 2 }, 'dropped', undefined],
      [{ n: 4 }, 'failed', undefined],
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

const ok = (...outputs: Record<string, unknown>[]) => ({ status: 'ok' as const, outputs });
const dropped = { status: 'dropped' as const };
const failed = { status: 'error' as const, error: { message: 'Error: no' } };

const called = { method: 'GET', url: 'https://example.com/', status: 200, milliseconds: 3 };
const ran = (results: EventResult[]) => ({ results, fetches: [called] });

describe('a replay', () => {
  it('shows what changes and counts what does not', () => {
    const samples = [{ n: 1 }, { n: 2 }, { n: 3 }];
    const live = [ok({ n: 1, old: 1, user: { name: 'a' } }), ok({ n: 2 }), ok({ n: 3 })];
    const next = [ok({ n: 1, user: { name: 'b' }, fresh: 1 }), ok({ n: 2 }), failed];
    const replay = comparisonOf(samples, { liveVersionId: 'v1', live: ran(live), next: ran(next) });
    expect(replay).toMatchObject({ liveVersionId: 'v1', samples: 3, changed: 2, fetches: [called, called] });
    expect(replay.differences).toMatchObject([
      { input: { n: 1 }, keysAdded: ['fresh'], keysRemoved: ['old'], keysChanged: ['user.name'] },
      { input: { n: 3 }, live: { outcome: 'kept' }, next: { outcome: 'failed', outputs: [], error: failed.error } },
    ]);
  });

  it('compares with the events themselves when nothing is live', () => {
    const replay = comparisonOf([{ n: 1 }, { n: 2 }], {
      liveVersionId: null,
      live: undefined,
      next: ran([ok({ n: 1 }), dropped]),
    });
    expect(replay).toMatchObject({ liveVersionId: null, samples: 2, changed: 1 });
    expect(replay.differences[0]).toMatchObject({ live: { outputs: [{ n: 2 }] }, next: { outcome: 'dropped' } });
  });
});

describe('changed keys', () => {
  it('are added, removed or changed, by dotted path', () => {
    const before = [{ same: [1], user: { name: 'a', mail: 'b' }, empty: {} }];
    const after = [{ same: [1], user: { name: 'c', id: 1 } }];
    expect(changedKeys(before, after)).toEqual({
      keysAdded: ['user.id'],
      keysRemoved: ['user.mail', 'empty'],
      keysChanged: ['user.name'],
    });
  });

  it('of a fan-out are those of all its events', () => {
    expect(changedKeys([{ a: 1, b: 1 }], [{ a: 1 }, { b: 1 }])).toEqual({
      ...{ keysAdded: [], keysRemoved: [], keysChanged: [] },
    });
    expect(changedKeys([{ a: 1 }], [{ a: 1 }, { a: 2 }]).keysChanged).toEqual(['a']);
  });

  it('of many are the first ones, and what lies beyond is not looked at', () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, value]));
    expect(changedKeys([], [many(1)]).keysAdded).toEqual(Array.from({ length: 100 }, (_, n) => `k${n}`));
    const [before, after] = [many(1), many(1)];
    for (const key of ['k0', 'k9999', 'k10000', 'k19999']) after[key] = 2;
    expect(changedKeys([before], [after]).keysChanged).toEqual(['k0', 'k9999']);
  });

  it('below a long name are one with it', () => {
    const long = 'x'.repeat(512);
    const event = (n: number) => ({ [long]: { a: n, b: 1 }, [`${long.slice(1)}`]: { a: n, b: 1 } });
    expect(changedKeys([event(1)], [event(2)]).keysChanged).toEqual([long, `${long.slice(1)}.a`]);
  });
});
