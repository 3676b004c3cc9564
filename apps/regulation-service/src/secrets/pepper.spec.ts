import { describe, expect, it } from '@jest/globals';
import { Pepper } from './pepper.js';

const pepper = new Pepper(Buffer.alloc(32, 1).toString('base64'));
const hex = (workspaceId: string, userId: string) => pepper.matchKey(workspaceId, userId).toString('hex');

describe('the match key', () => {
  it('is the same for the same user, and 32 bytes long', () => {
    expect(hex('w', 'ada')).toBe(hex('w', 'ada'));
    expect(pepper.matchKey('w', 'ada')).toHaveLength(32);
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
    const other = new Pepper(Buffer.alloc(32, 2).toString('base64'));
    expect(other.matchKey('w', 'ada').toString('hex')).not.toBe(hex('w', 'ada'));
  });
});

describe('derived keys', () => {
  it('are 32 bytes, fixed for a purpose and different from each other and the pepper', () => {
    const keys = [pepper.derivedKey('attributes'), pepper.derivedKey('cursor'), Buffer.alloc(32, 1).toString('base64')];
    expect(new Set(keys).size).toBe(3);
    expect(keys.map((key) => Buffer.from(key, 'base64').length)).toEqual([32, 32, 32]);
    expect(pepper.derivedKey('cursor')).toBe(keys[1]);
  });
});
