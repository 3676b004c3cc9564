import { describe, expect, it } from '@jest/globals';
import { objectTag, requireMatch, revisionTag } from './entity-tag.js';

const state = {
  latest_version_id: 'v2',
  live_version_id: 'v1',
  live_at: new Date(0),
  external_id: null,
  commit_id: null,
  destinations: ['d'],
};

describe('the tag of an object', () => {
  it('is the same for the same state', () => {
    expect(objectTag({ ...state, live_at: new Date(0) })).toBe(objectTag(state));
  });

  it.each([
    { latest_version_id: 'v3' },
    { live_version_id: 'v2' },
    { live_version_id: null, live_at: null },
    { live_at: new Date(1) },
    { external_id: 'mine' },
    { commit_id: 'c0ffee' },
    { destinations: [] },
    { runtime: 'warm' },
    { runtime: 'fresh', runtime_reason: 'keeps state: line 1' },
  ])('changes with %j', (change) => {
    expect(objectTag({ ...state, ...change })).not.toBe(objectTag(state));
  });
});

it('the tag of a revision changes when it goes live, and not when another one does', () => {
  const revision = { ...state, version_id: 'v2' };
  expect(revisionTag({ ...revision, live_version_id: 'v3' })).toBe(revisionTag(revision));
  expect(revisionTag({ ...revision, live_version_id: 'v2' })).not.toBe(revisionTag(revision));
});

describe('a condition', () => {
  it('holds when it is missing or names the current state', () => {
    expect(() => requireMatch(state, undefined)).not.toThrow();
    expect(() => requireMatch(state, ['other', objectTag(state)])).not.toThrow();
  });

  it.each([[[]], [['other']]])('of %j fails', (ifMatch: string[]) => {
    expect(() => requireMatch(state, ifMatch)).toThrow(expect.objectContaining({ code: 'precondition_failed' }));
  });
});
