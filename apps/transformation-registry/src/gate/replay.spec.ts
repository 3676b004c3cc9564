import { describe, expect, it } from '@jest/globals';
import type { EventResult } from '@weir/contracts';
import { replayOf } from './replay.js';

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
    const replay = replayOf(samples, { liveVersionId: 'v1', live: ran(live), next: ran(next) });
    expect(replay).toMatchObject({ liveVersionId: 'v1', samples: 3, changed: 2, fetches: [called, called] });
    expect(replay.differences).toMatchObject([
      { input: { n: 1 }, keysAdded: ['fresh'], keysRemoved: ['old'], keysChanged: ['user.name'] },
      { input: { n: 3 }, live: { outcome: 'kept' }, next: { outcome: 'failed', outputs: [], error: failed.error } },
    ]);
  });

  it('compares with the events themselves when nothing is live', () => {
    const replay = replayOf([{ n: 1 }, { n: 2 }], {
      liveVersionId: null,
      live: undefined,
      next: ran([ok({ n: 1 }), dropped]),
    });
    expect(replay).toMatchObject({ liveVersionId: null, samples: 2, changed: 1 });
    expect(replay.differences[0]).toMatchObject({ live: { outputs: [{ n: 2 }] }, next: { outcome: 'dropped' } });
  });
});
