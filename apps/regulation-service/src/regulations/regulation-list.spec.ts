import { describe, expect, it } from '@jest/globals';
import { Cursors } from './regulation-list.js';

const cursors = new Cursors(Buffer.alloc(32, 3).toString('base64'));
const refused = expect.objectContaining({ code: 'invalid' });
const tampered = (cursor: string) => (cursor.startsWith('B') ? 'C' : 'B') + cursor.slice(1);

describe('a cursor', () => {
  it.each([1n, 50n, 9_007_199_254_740_993n])('carries position %s to the next page', (position) => {
    expect(cursors.read('w', cursors.make('w', position))).toBe(position);
  });

  it('goes with its filter only', () => {
    const cursor = cursors.make('w', 50n, 'f');
    expect(cursors.read('w', cursor, 'f')).toBe(50n);
    expect(() => cursors.read('w', cursor)).toThrow(refused as unknown as Error);
    expect(() => cursors.read('w', cursors.make('w', 50n), 'f')).toThrow(refused as unknown as Error);
  });

  it.each([
    ['text', 'not-a-cursor'],
    ['nothing', ''],
    ['a uuid', '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d'],
    ['another position', tampered(cursors.make('w', 50n))],
    ['more than was made', `${cursors.make('w', 50n)}A`],
    ['a cut cursor', cursors.make('w', 50n).slice(0, -2)],
    ['one of another workspace', cursors.make('v', 50n)],
    ['one under another key', new Cursors(Buffer.alloc(32, 4).toString('base64')).make('w', 50n)],
  ])('is refused when it is %s', (_what, cursor) => {
    expect(() => cursors.read('w', cursor)).toThrow(refused as unknown as Error);
  });
});
