import { describe, expect, it } from '@jest/globals';
import { destinationAad, Sealer } from './sealer.js';

const key = Buffer.alloc(32, 7).toString('base64');
const other = Buffer.alloc(32, 8).toString('base64');
const owner = destinationAad({ workspaceId: 'w1', id: 'd1' });

describe('Sealer', () => {
  it('opens what it sealed, for the same owner', () => {
    const sealer = new Sealer(key);
    expect(sealer.open(sealer.seal({ apiKey: 'hush' }, owner), owner)).toEqual({ apiKey: 'hush' });
  });

  it('never shows the text, and never seals alike twice', () => {
    const sealer = new Sealer(key);
    const sealed = sealer.seal({ apiKey: 'hush' }, owner);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('hush');
    expect(sealer.seal({ apiKey: 'hush' }, owner)).not.toBe(sealed);
  });

  it.each([
    ['another destination', destinationAad({ workspaceId: 'w1', id: 'd2' })],
    ['another workspace', destinationAad({ workspaceId: 'w2', id: 'd1' })],
  ])('does not open for %s', (_who, aad) => {
    const sealer = new Sealer(key);
    expect(() => sealer.open(sealer.seal({ a: 1 }, owner), aad)).toThrow();
  });

  it('does not open with another key', () => {
    expect(() => new Sealer(other).open(new Sealer(key).seal({ a: 1 }, owner), owner)).toThrow(
      'sealed with another key',
    );
  });

  it('opens with every key of a rotation, and seals with the first', () => {
    const [before, after] = [new Sealer(key), new Sealer(`${other},${key}`)];
    const sealed = before.seal({ a: 1 }, owner);
    expect(sealed.startsWith(after.mark)).toBe(false);
    const again = after.reseal(sealed, owner);
    expect(again.startsWith(after.mark)).toBe(true);
    expect(new Sealer(other).open(again, owner)).toEqual({ a: 1 });
    expect([before.isRotating, after.isRotating]).toEqual([false, true]);
  });

  it('does not reseal for another owner', () => {
    const elsewhere = destinationAad({ workspaceId: 'w2', id: 'd1' });
    expect(() => new Sealer(`${other},${key}`).reseal(new Sealer(key).seal({ a: 1 }, owner), elsewhere)).toThrow();
  });

  it('does not open what was changed', () => {
    const sealer = new Sealer(key);
    const [version, id, body = ''] = sealer.seal({ a: 1 }, owner).split('.');
    const bytes = Buffer.from(body, 'base64url');
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
    expect(() => sealer.open(`${version}.${id}.${bytes.toString('base64url')}`, owner)).toThrow();
  });
});
