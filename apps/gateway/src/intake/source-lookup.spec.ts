import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { AppError, type SourceRecord } from '@weir/contracts';
import type { InventoryMirror } from '@weir/inventory';
import { Coalesced, SourceLookup } from './source-lookup.js';

const source: SourceRecord = {
  ...{ id: '0ujzPyRiIAffKhBux4PvQdDqMHY', workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv' },
  ...{ name: 'S', type: 'HTTP', writeKey: 'key', enabled: true, partitions: 1 },
};

/** A mirror that lags until a caller asks it to catch up. */
class LaggingMirror {
  asked = 0;
  private readonly known = new Map<string, SourceRecord>();

  constructor(readonly inBucket: Map<string, SourceRecord>) {}

  sourceByWriteKey = (writeKey: string) => this.known.get(writeKey);
  catchUp = async () => {
    this.asked += 1;
    for (const [key, record] of this.inBucket) this.known.set(key, record);
  };

  change(record: SourceRecord): void {
    this.inBucket.set(record.writeKey, record);
    this.known.set(record.writeKey, record);
  }
}

const lookupOf = (mirror: object) => new SourceLookup(mirror as InventoryMirror);

describe('SourceLookup', () => {
  it('finds a source that has not reached this process yet', async () => {
    const mirror = new LaggingMirror(new Map([['key', source]]));
    const lookup = lookupOf(mirror);
    expect(await lookup.sending('key')).toBe(source);
    expect(await lookup.sending('key')).toBe(source);
    expect(mirror.asked).toBe(1);
  });

  it('asks once for an unknown key, and knows it as soon as the mirror shows its source', async () => {
    const mirror = new LaggingMirror(new Map());
    const lookup = lookupOf(mirror);
    for (let turn = 0; turn < 3; turn += 1) {
      await expect(lookup.sending('key')).rejects.toThrow('invalid write key');
    }
    expect(mirror.asked).toBe(1);
    mirror.change(source);
    expect(await lookup.sending('key')).toBe(source);
  });

  it('asks a few times, however many unknown keys come at once', async () => {
    const mirror = new LaggingMirror(new Map());
    const lookup = lookupOf(mirror);
    const keys = Array.from({ length: 1_000 }, (_, n) => lookup.sending(`key${n}`).catch(() => undefined));
    await Promise.all(keys);
    expect(mirror.asked).toBeLessThanOrEqual(2);
  });

  it('does not look for a text that cannot be a key', async () => {
    const mirror = new LaggingMirror(new Map());
    await expect(lookupOf(mirror).sending('k'.repeat(200))).rejects.toThrow('invalid write key');
    expect(mirror.asked).toBe(0);
  });

  it('refuses nobody for good while it cannot know', async () => {
    const mirror = new LaggingMirror(new Map());
    const away = { ...mirror, catchUp: () => Promise.reject(new AppError('unavailable', 'no broker')) };
    await expect(lookupOf(away).sending('key')).rejects.toThrow('service unavailable');
  });

  it('says that a source is disabled', async () => {
    const mirror = new LaggingMirror(new Map([['key', { ...source, enabled: false }]]));
    const lookup = lookupOf(mirror);
    await expect(lookup.sending('key')).rejects.toThrow('source is disabled');
    expect(await lookup.find('key')).toMatchObject({ enabled: false });
  });
});

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('Coalesced', () => {
  it('gives every caller a run that began after it asked, however many ask', async () => {
    let begun = 0;
    const finish: (() => void)[] = [];
    const work = new Coalesced(() => {
      begun += 1;
      return new Promise((done) => finish.push(done));
    }, 5);
    const first = work.run();
    await Promise.resolve();
    const later = [work.run(), work.run(), work.run()];
    await Promise.resolve();
    expect(begun).toBe(1);
    finish.shift()?.();
    await first;
    await jest.advanceTimersByTimeAsync(4);
    expect(begun).toBe(1);
    await jest.advanceTimersByTimeAsync(1);
    expect(begun).toBe(2);
    finish.shift()?.();
    await Promise.all(later);
  });

  it('tries again after a failure, and only the callers of that run learn of it', async () => {
    let fails = true;
    const work = new Coalesced(async () => {
      if (fails) throw new Error('away');
    }, 5);
    await expect(work.run()).rejects.toThrow('away');
    fails = false;
    const next = work.run();
    await jest.advanceTimersByTimeAsync(5);
    await expect(next).resolves.toBeUndefined();
  });
});
