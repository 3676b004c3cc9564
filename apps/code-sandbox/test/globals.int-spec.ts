import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { failed, ok, useSandbox } from './support/sandbox.js';

/** Checks in the isolate which globals exist. Unit tests beside the sources cover their behaviour. */
describe('what user code finds', () => {
  const sandbox = useSandbox();
  const hash = createHash('sha256').update('josé@example.com').digest('hex');

  it.each([
    ['atob and btoa', 'atob(btoa("h\\xe9llo"))', 'h\xe9llo'],
    ['URL', 'new URL("../b?c=1#d", "https://EXAMPLE.com:443/a/x/").href', 'https://example.com/a/b?c=1#d'],
    ['URLSearchParams', 'new URLSearchParams({ a: "1 2", b: "é" }).toString()', 'a=1+2&b=%C3%A9'],
    ['searchParams', 'new URL("https://h/?utm_source=x").searchParams.get("utm_source")', 'x'],
    ['TextEncoder', 'Array.from(new TextEncoder().encode("é"))', [195, 169]],
    ['TextDecoder', 'new TextDecoder().decode(new Uint8Array([195, 169]))', 'é'],
    ['structuredClone', 'structuredClone(new Map([["a", [1]]])).get("a")', [1]],
    ['sha256', 'sha256("josé@example.com")', hash],
    ['names of their own', '[URL.name, TextEncoder.name, atob.name]', ['URL', 'TextEncoder', 'atob']],
    [
      'shapes that print',
      '[String(new URL("https://a/")), JSON.stringify(new URL("https://a/"))]',
      ['https://a/', '"https://a/"'],
    ],
  ])('%s', async (_what, expression, value) => {
    const code = `export const transformEvent = () => ({ value: ${expression} });`;
    expect(await sandbox.results({ code })).toEqual([ok({ value })]);
  });

  it('crypto.subtle.digest', async () => {
    const code = `export const transformEvent = async ({ email }) => {
      const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(email));
      return { hash: Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('') };
    };`;
    expect(await sandbox.results({ code, events: [{ email: 'josé@example.com' }] })).toEqual([ok({ hash })]);
  });

  it('crypto.randomUUID, another one for each event and each run', async () => {
    const code = 'export const transformEvent = () => ({ id: crypto.randomUUID() });';
    const seen = new Set<unknown>();
    for (let run = 0; run < 5; run += 1) {
      for (const result of await sandbox.results({ code, events: [{}, {}] })) {
        if (result.status === 'ok') seen.add(result.outputs[0]?.['id']);
      }
    }
    expect(seen.size).toBe(10);
  });

  it.each([
    ['', 'ip address is required'],
    ['null', 'ip address is required'],
    ['""', 'ip address is required'],
    ['"somewhere"', 'invalid ip address'],
    ['3232235777', 'invalid ip address'],
    ['event.ip', 'geolocation is not available right now'],
    ['"2001:db8::1"', 'geolocation is not available right now'],
  ])('geolocation(%s) rejects with a plain object that says why', async (argument, message) => {
    const code = `export async function transformEvent(event) {
      const promise = geolocation(${argument});
      try { return await promise; } catch (error) {
        return { message: error.message, keys: Object.keys(error), isError: error instanceof Error, isPromise: promise instanceof Promise };
      }
    }`;
    const told = { message, keys: ['message', 'stack'], isError: false, isPromise: true };
    expect(await sandbox.results({ code, events: [{ ip: '203.0.113.9' }] })).toEqual([ok(told)]);
  });

  it('geolocation fails its own event if nobody catches it, at the line of the user', async () => {
    const code =
      'export async function transformEvent(e) {\n  return e.ip ? { ...e, geo: await geolocation(e.ip) } : e;\n}';
    const message = expect.stringMatching(
      /^Error: geolocation is not available right now\n\s+at (async )?transformEvent \(my code:2:/,
    );
    expect(await sandbox.results({ code, events: [{ ip: '203.0.113.9' }, { n: 1 }] })).toEqual([
      failed(message),
      ok({ n: 1 }),
    ]);
  });

  it('may be replaced by the user, for the run', async () => {
    const code =
      'globalThis.URL = class { constructor(x) { this.x = x; } }; export const transformEvent = () => new URL(1);';
    expect(await sandbox.results({ code })).toEqual([ok({ x: 1 })]);
    expect(await sandbox.results({ code: 'export const transformEvent = () => ({ is: typeof URL.parse });' })).toEqual([
      ok({ is: 'function' }),
    ]);
  });
});
