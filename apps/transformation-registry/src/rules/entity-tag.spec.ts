import { describe, expect, it } from '@jest/globals';
import { objectTag, requireMatch } from './entity-tag.js';

const state = {
  name: 'T',
  latest_version_id: 'v2',
  live_version_id: 'v1',
  live_at: new Date(0),
  external_id: null,
  live_commit_id: null,
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
    { live_commit_id: 'c0ffee' },
    { destinations: [] },
    { runtime: 'warm' },
    { runtime: 'fresh', runtime_reason: 'keeps state: line 1' },
  ])('changes with %j', (change) => {
    expect(objectTag({ ...state, ...change })).not.toBe(objectTag(state));
  });
});

describe('a condition', () => {
  it('holds when it is missing or names the current state', () => {
    expect(() => requireMatch('library', state, undefined)).not.toThrow();
    expect(() => requireMatch('library', state, ['other', objectTag(state)])).not.toThrow();
  });

  it.each([[[]], [['other']]])('of %j fails, and says what changed', (ifMatch: string[]) => {
    const [message, code] = ['library T has changed since you read it. Read it again', 'precondition_failed'];
    expect(() => requireMatch('library', state, ifMatch)).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining(message) }),
    );
  });

  it('of an object that was deleted fails', () => {
    expect(() => requireMatch('library', undefined, ['any'])).toThrow('the library was deleted since you read it');
  });
});
