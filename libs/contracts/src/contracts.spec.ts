import { describe, expect, it } from '@jest/globals';
import * as contracts from './index.js';

const calls = Object.entries(contracts)
  .filter(([, value]) => typeof value === 'object' && value !== null && 'subject' in value && 'deadlineMs' in value)
  .map(([name, call]) => ({ name, call: call as contracts.Call }));

describe('every call', () => {
  it.each(calls)('$name has an example that its schemas accept', ({ call }) => {
    expect(call.request.safeParse(call.example.request).error).toBeUndefined();
    expect(call.reply.safeParse(call.example.reply).error).toBeUndefined();
  });

  it.each(calls)('$name is named <owner>.<noun>.<verb>.v<n>', ({ call }) => {
    expect(call.subject).toMatch(
      /^(gateway|registry|sandbox|runner|delivery|regulation|schema)(\.[a-z][a-z-]*){1,2}\.v\d+$/,
    );
  });

  it('has a subject of its own', () => {
    expect(new Set(calls.map(({ call }) => call.subject)).size).toBe(calls.length);
    expect(calls.length).toBeGreaterThan(30);
  });
});

describe('matchIdsOf', () => {
  it.each([
    [{ type: 'track', userId: ' u1 ' }, ['u1']],
    [{ type: 'track', userId: 42 }, ['42']],
    [{ type: 'track', userId: '  ' }, []],
    [{ type: 'track', userId: null, anonymousId: 'u1' }, []],
    [{ type: 'track', userId: 'u1', previousId: 'u0' }, ['u1']],
    [{ type: 'alias', userId: 'u1', previousId: 'u0' }, ['u1', 'u0']],
  ])('of %j are %j', (event, ids) => {
    expect(contracts.matchIdsOf(event)).toEqual(ids);
  });
});

describe('partitionOf', () => {
  it('is stable: streams hold subjects made from it', () => {
    expect(contracts.partitionOf('0ujtsYcgvSTl8PAuAdqWYSMnLOv', '0ujzPyRiIAffKhBux4PvQdDqMHY')).toMatchInlineSnapshot(
      `6`,
    );
  });
});
