import { describe, expect, it } from '@jest/globals';
import { brokenPromise, type CommitFacts, riskOf } from './durability.js';

const facts = (more: Partial<CommitFacts> = {}): CommitFacts => ({ commit: 'on', names: '', standbys: [], ...more });
const named = { names: 'ANY 1 (a, b)' };

describe('a database of which a standby is promised', () => {
  it.each<[string, CommitFacts, string]>([
    ['commits wait for nothing', facts({ ...named, commit: 'off', standbys: ['sync'] }), 'synchronous_commit is "off"'],
    [
      'commits wait for this disk',
      facts({ ...named, commit: 'local', standbys: ['sync'] }),
      'synchronous_commit is "local"',
    ],
    ['no standby is named', facts({ standbys: ['async'] }), 'synchronous_standby_names is empty'],
    ['only another one is connected', facts({ ...named, standbys: ['async'] }), 'is connected'],
    ['nobody is connected', facts(named), 'is connected'],
  ])('breaks the promise when %s', (_, broken, reason) => {
    expect(brokenPromise(broken)).toContain(reason);
  });

  it.each<[string, CommitFacts]>([
    ['commits wait for one', facts({ ...named, standbys: ['potential', 'sync'] })],
    ['commits wait for any', facts({ ...named, commit: 'remote_apply', standbys: ['quorum', 'async'] })],
    ['its role may not see who they are', facts({ ...named, standbys: [null] })],
  ])('keeps it when %s', (_, kept) => {
    expect(brokenPromise(kept)).toBeUndefined();
  });
});

describe('a database of which nothing is promised', () => {
  it.each<[string, CommitFacts, string]>([
    ['it commits without its own disk', facts({ commit: 'off' }), 'synchronous_commit is off'],
    ['a standby follows that nobody waits for', facts({ standbys: ['async'] }), 'no commit waits for'],
    ['somebody follows, it cannot see how', facts({ standbys: [null] }), 'no commit waits for'],
    [
      'this role waits for its own disk only',
      facts({ ...named, commit: 'local', standbys: ['async'] }),
      'no commit waits for',
    ],
  ])('is warned of when %s', (_, risky, warning) => {
    expect(riskOf(risky)).toContain(warning);
  });

  it.each<[string, CommitFacts]>([
    ['is a single machine', facts()],
    ['has a standby that commits wait for', facts({ ...named, standbys: ['sync', 'async'] })],
  ])('is left alone when it %s', (_, fine) => {
    expect(riskOf(fine)).toBeUndefined();
  });
});
