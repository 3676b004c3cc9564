import { describe, expect, it } from '@jest/globals';
import { Pepper } from '@weir/service-kit';
import { MatchKeys } from './match-keys.js';

const keys = new MatchKeys(new Pepper(Buffer.alloc(32, 1).toString('base64')));
const hex = (workspaceId: string, userId: string) => keys.matchKey(workspaceId, userId).toString('hex');

describe('the match key', () => {
  it('is the same for the same user, and 32 bytes long', () => {
    expect(hex('w', 'ada')).toBe(hex('w', 'ada'));
    expect(keys.matchKey('w', 'ada')).toHaveLength(32);
  });

  it('never changes: rows of former releases must go on matching', () => {
    expect(hex('w', 'ada')).toBe('d2905e274cae3c7c9c6425744e1755f5b3f2a00d874be4f6b26aa14ded8e4598');
  });

  it.each([
    ['another user', 'w', 'Ada'],
    ['another workspace', 'v', 'ada'],
    ['the same bytes cut elsewhere', 'wa', 'da'],
  ])('differs for %s', (_what, workspaceId, userId) => {
    expect(hex(workspaceId, userId)).not.toBe(hex('w', 'ada'));
  });

  it('differs under another pepper', () => {
    const other = new MatchKeys(new Pepper(Buffer.alloc(32, 2).toString('base64')));
    expect(other.matchKey('w', 'ada').toString('hex')).not.toBe(hex('w', 'ada'));
  });
});

describe('derived keys', () => {
  it('are 32 bytes, fixed for a purpose and different from each other and the pepper', () => {
    const derived = [keys.derivedKey('attributes'), keys.derivedKey('cursor'), Buffer.alloc(32, 1).toString('base64')];
    expect(new Set(derived).size).toBe(3);
    expect(derived.map((key) => Buffer.from(key, 'base64').length)).toEqual([32, 32, 32]);
    expect(keys.derivedKey('cursor')).toBe(derived[1]);
  });
});
