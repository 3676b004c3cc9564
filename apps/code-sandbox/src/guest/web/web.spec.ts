import { createHash, randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import * as base64 from './base64.js';
import { cryptoOf, sha256 } from './crypto.js';
import { structuredClone as clone } from './structured-clone.js';
import * as encoding from './text-encoding.js';

/** Node's own implementations are the oracle. */
const outcome = <T>(fn: () => T): T | string => {
  try {
    return fn();
  } catch (error) {
    return (error as Error).name;
  }
};

describe('base64', () => {
  it('is that of Node, for whatever text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        expect(outcome(() => base64.btoa(text))).toBe(outcome(() => btoa(text)));
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'AZaz09+/= \n!'), maxLength: 12 }), (text) => {
        expect(outcome(() => base64.atob(text))).toBe(outcome(() => atob(text)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('goes there and back', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        const text = String.fromCharCode(...bytes);
        expect(base64.atob(base64.btoa(text))).toBe(text);
      }),
    );
  });
});

describe('UTF-8', () => {
  it('is encoded as Node does it, broken pairs included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect([...encoding.utf8Encode(text)]).toEqual([...new TextEncoder().encode(text)]);
      }),
    );
    const broken = 'a\ud800b\udc00\ud83d\ude00\ud83d';
    expect([...encoding.utf8Encode(broken)]).toEqual([...new TextEncoder().encode(broken)]);
  });

  it('is decoded as Node does it, malformed bytes included', () => {
    const bytes = fc.uint8Array({ maxLength: 12 });
    const nearby = fc.array(
      fc.constantFrom(0x41, 0x80, 0xbf, 0xc2, 0xe0, 0xa0, 0xed, 0x9f, 0xf0, 0x90, 0xf4, 0x8f, 0xef, 0xbb),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          bytes,
          nearby.map((list) => Uint8Array.from(list)),
        ),
        (data) => {
          expect(new encoding.TextDecoder().decode(data)).toBe(new TextDecoder().decode(data));
          const fatal = { fatal: true };
          expect(outcome(() => new encoding.TextDecoder('utf8', fatal).decode(data))).toBe(
            outcome(() => new TextDecoder('utf8', fatal).decode(data)),
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it('is the only encoding', () => {
    expect(() => new encoding.TextDecoder('utf-16')).toThrow(RangeError);
  });

  it('fills a given view with whole characters', () => {
    const view = new Uint8Array(4);
    expect(new encoding.TextEncoder().encodeInto('ab€', view)).toEqual({ read: 2, written: 2 });
  });
});

describe('crypto', () => {
  it('hashes as Node does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
      }),
    );
  });

  it('digests with SHA-256 and nothing else', async () => {
    const { subtle } = cryptoOf(() => '00');
    const bytes = randomBytes(1_000);
    const digest = Buffer.from(await subtle.digest({ name: 'sha-256' }, bytes));
    expect(digest.toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
    await expect(subtle.digest('SHA-1', bytes)).rejects.toThrow('Only SHA-256 is supported');
    await expect(subtle.digest('SHA-256', 'text')).rejects.toThrow(TypeError);
  });

  it('gives UUIDs of version 4 that do not repeat, and others for another seed', () => {
    const crypto = cryptoOf(() => '00');
    const ids = Array.from({ length: 1_000 }, () => crypto.randomUUID());
    expect(new Set([...ids, cryptoOf(() => '01').randomUUID()]).size).toBe(1_001);
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  });

  it('fills views with random bytes', () => {
    const filled = cryptoOf(() => '00').getRandomValues(new Uint8Array(1_000));
    expect(new Set(filled).size).toBeGreaterThan(200);
  });
});

describe('structuredClone', () => {
  it.each([
    [{ a: [1, { b: null }], c: undefined, d: 10n }],
    [new Map<unknown, unknown>([[{ a: 1 }, new Set([1, 2])]])],
    [new Date(5)],
    [/a+/gi],
    [new Uint16Array([1, 2, 3]).subarray(1)],
    [new DataView(new ArrayBuffer(4), 1)],
    [new Array(3)],
    [Object('text')],
    [JSON.parse('{"__proto__": 1}')],
  ])('copies %p as Node does', (value) => {
    expect(clone(value)).toEqual(structuredClone(value));
    expect(clone(value)).not.toBe(value);
  });

  it('keeps cycles, and what is the same stays the same', () => {
    const inner = {};
    const value: Record<string, unknown> = { inner, again: inner };
    value['self'] = value;
    const copy = clone(value) as typeof value;
    expect(copy['self']).toBe(copy);
    expect(copy['inner']).toBe(copy['again']);
    expect(copy['inner']).not.toBe(inner);
  });

  it('copies errors with kind, stack and cause', () => {
    const copy = clone(new RangeError('far', { cause: { a: 1 } })) as RangeError;
    expect(copy).toBeInstanceOf(RangeError);
    expect(copy).toMatchObject({ message: 'far', cause: { a: 1 }, stack: expect.stringContaining('far') });
  });

  it.each([[() => 1], [Symbol('s')], [{ f() {} }], [new WeakMap()], [Promise.resolve()]])('refuses %p', (value) => {
    expect(() => clone(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
  });
});
