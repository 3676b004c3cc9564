import { describe, expect, it } from '@jest/globals';
import { ScanProgress } from './scan-progress.js';

const place = { endpoint: 'https://store.example.com', bucket: 'events', prefix: 'shop/' };

function scanOf(reached?: string, where = place) {
  const kept: string[] = [];
  const keep = async (text: string) => void kept.push(text);
  return { kept, scan: new ScanProgress({ reached, keep }, where) };
}
const keysOf = (count: number) => Array.from({ length: count }, (_, n) => String(n).padStart(4, '0'));

describe('the progress of a scan', () => {
  it('is behind the oldest object in hand, whatever was finished since', async () => {
    const { scan, kept } = scanOf();
    const [slow = '', ...others] = keysOf(600);
    scan.begin(slow);
    for (const key of others) {
      scan.begin(key);
      await scan.end(key, 'read');
    }
    expect([scan.startAfter, kept]).toEqual(['', []]);
    await scan.end(slow, 'unreadable');
    expect(scan.startAfter).toBe('0599');
    const next = scanOf(kept.at(-1)).scan;
    expect([next.startAfter, next.counts]).toEqual(['0599', { read: 599, skipped: 0, unreadable: 1 }]);
  });

  const whole = async (keys: string[]) => {
    const { scan, kept } = scanOf();
    for (const key of keys) {
      scan.begin(key);
      await scan.end(key, 'read');
    }
    return kept.at(-1) ?? '';
  };

  it('does not hold for another place', async () => {
    const reached = await whole(keysOf(250));
    expect(scanOf(reached).scan.startAfter).toBe('0249');
    for (const other of [{ bucket: 'others' }, { prefix: '' }, { endpoint: 'https://other.example.com' }]) {
      expect(scanOf(reached, { ...place, ...other }).scan.startAfter).toBe('');
    }
  });

  it('begins anew where a store lists in no order', async () => {
    const reached = await whole([...keysOf(251).slice(1), '0000', ...keysOf(600).slice(251)]);
    expect(scanOf(reached).scan).toMatchObject({ startAfter: '', counts: { read: 0 } });
  });

  it('follows the order of bytes, not of UTF-16', async () => {
    expect(scanOf(await whole([...keysOf(248), '\uffee', '\u{1f600}'])).scan.startAfter).toBe('\u{1f600}');
  });

  it('goes on when it cannot be kept', async () => {
    const keep = () => Promise.reject(new Error('away'));
    const scan = new ScanProgress({ reached: undefined, keep }, place);
    for (const key of keysOf(250)) scan.begin(key);
    for (const key of keysOf(250)) await scan.end(key, 'skipped');
    expect(scan.counts.skipped).toBe(250);
  });
});
