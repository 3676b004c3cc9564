import { expect, it } from '@jest/globals';
import type { RpcClient } from '@weir/messaging';
import { SHOWN_URL_CHARS_MAX } from '../limits.js';
import { RunFetches } from './run-fetches.js';

const SECRET = 'hunter2-and-more';
const LETTERS = 'correcthorse';
/** A broker that nobody answers. */
const rpc = { send: () => Promise.reject(new Error('away')) } as unknown as RpcClient;

async function shownCall(url: string, method = 'GET') {
  const { fetch, calls } = new RunFetches(rpc, '0ujtsYcgvSTl8PAuAdqWYSMnLOv', [{ value: SECRET }, { value: LETTERS }]);
  await fetch({ type: 'fetch', task: 1, call: 1, url, method, headers: {} });
  return calls[0];
}

it('a URL is cut and masked, and no part of a secret at the cut is shown', async () => {
  for (let before = SHOWN_URL_CHARS_MAX - 2 * SECRET.length; before <= SHOWN_URL_CHARS_MAX; before += 1) {
    const call = await shownCall(`${'x'.repeat(before)}${SECRET}${'y'.repeat(before)}`);
    expect(call?.url.length).toBeLessThanOrEqual(SHOWN_URL_CHARS_MAX);
    expect(call?.url.replace(/^x*(\*{0,3}y*)$/, '')).toBe('');
  }
});

it('a secret that is cut behind others is not shown either', async () => {
  const call = await shownCall(`${SECRET}${'x'.repeat(SHOWN_URL_CHARS_MAX - 8)}${SECRET}`);
  expect(call?.url).toMatch(/^\*{3}x+(\*{3})?$/);
});

it('what is no method is not shown', async () => {
  expect(await shownCall('https://a/', 'PROPFIND')).toMatchObject({ method: 'PROPFIND' });
  for (const method of [SECRET.toUpperCase(), LETTERS.toUpperCase(), 'X'.repeat(200_000), ''])
    expect(await shownCall('https://a/', method)).toMatchObject({ method: '(no method)' });
});
