import { randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { DeletionProgress } from '../src/kind.js';
import { s3Delete } from '../src/kinds/s3/s3.deletion.js';
import { type OpenOutbound, openOutbound } from './redis.fixtures.js';
import { failure, ObjectStore } from './s3.fixtures.js';

let store: ObjectStore;
let endPoint: string;
beforeEach(async () => {
  store = new ObjectStore();
  endPoint = await store.start();
});
afterEach(() => store.stop());

const forget = (
  userIds: string[],
  more: JsonObject = {},
  { outbound }: Pick<OpenOutbound, 'outbound'> = openOutbound(),
  progress?: DeletionProgress,
) => {
  const place = { endPoint, useSSL: false, s3ForcePathStyle: true, bucketName: 'events', prefix: 'shop' };
  const config = { ...place, accessKeyID: 'id', accessKey: 'hush', ...more };
  const users = userIds.map((userId) => ({ userId, email: 'bob' }));
  return s3Delete({ regulationId: 'r1', destinationId: 'd1', config, users, ...(progress && { progress }) }, outbound);
};
const put = (key: string, ...lines: string[]) => store.put(key, gzipSync(lines.join('\n')));
const textOf = (key: string) => gunzipSync(store.objects.get(key)?.bytes ?? '').toString();
const writesOf = (key: string) => store.objects.get(key)?.writes;

describe('a deletion in an object store', () => {
  it('takes the lines of the users out of every object below the prefix and writes no other object', async () => {
    put('shop/1.json.gz', '{"userId":"ada","n":1}', '{"userId":"bob", "n":2}', '{"userId":"eve"}', '');
    put('shop/2.json.gz', '{"userId":"bob"}');
    put('shop/day/3.json.gz', '{"userId":"ada"}');
    put('shop/day/4.json.gz', '{"userId":"bob","properties":{"userId":"ada"}}');
    put('shop-of-others/5.json.gz', '{"userId":"ada"}');
    const { outbound, connections } = openOutbound();
    expect(await forget(['ada', 'eve'], {}, { outbound })).toEqual({ status: 'complete' });
    expect(textOf('shop/1.json.gz')).toBe('{"userId":"bob", "n":2}\n');
    expect(textOf('shop/day/3.json.gz')).toBe('');
    expect([...store.objects.values()].map(({ writes }) => writes)).toEqual([2, 1, 2, 1, 1]);
    expect(new Set(connections.map(({ host, port }) => `${host}:${port}`))).toEqual(new Set([endPoint]));
  });

  it('changes nothing when it is made again', async () => {
    put('shop/1.json.gz', '{"userId":"ada"}', '{"userId":"bob"}');
    await forget(['ada']);
    await forget(['ada']);
    expect(writesOf('shop/1.json.gz')).toBe(2);
  });

  it('keeps what an object is besides its content', async () => {
    const headers = { 'content-type': 'application/json', 'x-amz-meta-batch': '7' };
    store.put('shop/1.json.gz', gzipSync('{"userId":"ada"}'), headers);
    await forget(['ada'], { enableSSE: true });
    expect(store.objects.get('shop/1.json.gz')?.headers).toMatchObject({
      ...headers,
      'x-amz-server-side-encryption': 'AES256',
    });
  });

  it('never overwrites what somebody else wrote meanwhile', async () => {
    put('shop/1.json.gz', '{"userId":"ada"}', '{"userId":"bob"}');
    let rivals = 0;
    store.intercept = (method) => {
      if (method === 'PUT' && rivals++ === 0) put('shop/1.json.gz', '{"userId":"ada"}', '{"userId":"new"}');
      return false;
    };
    expect(await forget(['ada'])).toEqual({ status: 'complete' });
    expect(textOf('shop/1.json.gz')).toBe('{"userId":"new"}');
  });

  it('writes large objects in parts', async () => {
    const large = Array.from({ length: 24 }, () =>
      JSON.stringify({ userId: 'bob', x: randomBytes(400_000).toString('hex') }),
    );
    put('shop/1.json.gz', ...large, '{"userId":"ada"}');
    expect(await forget(['ada'])).toEqual({ status: 'complete' });
    expect(textOf('shop/1.json.gz')).toBe(`${large.join('\n')}\n`);
  });

  it('leaves an object alone whose content breaks off while it is rewritten', async () => {
    put(
      'shop/1.json.gz',
      '{"userId":"ada"}',
      JSON.stringify({ userId: 'bob', x: randomBytes(50_000).toString('hex') }),
    );
    const whole = store.objects.get('shop/1.json.gz');
    let reads = 0;
    store.intercept = (method, { pathname }, response) => {
      if (method !== 'GET' || !pathname.endsWith('.gz') || reads++ === 0) return false;
      response.writeHead(200, { etag: whole?.etag ?? '', 'content-length': whole?.bytes.length ?? 0 });
      response.write(whole?.bytes.subarray(0, 20_000), () => response.destroy());
      return true;
    };
    await expect(forget(['ada'])).rejects.toThrow();
    expect(store.objects.get('shop/1.json.gz')).toBe(whole);
  });

  it('says what it did not look at, and what it could not read', async () => {
    put('shop/1.json.gz', '{"userId":"ada"}');
    store.put('shop/notes.txt', Buffer.from('ada'));
    expect(await forget(['ada'])).toEqual({
      status: 'complete',
      reason: '1 objects whose names do not end in .json.gz were left as they are',
    });
    store.put('shop/2.json.gz', Buffer.from('no gzip'));
    put('shop/3.json.gz', '{"userId":"ada"}');
    expect(await forget(['ada'])).toEqual({
      status: 'aborted',
      reason: '1 of 3 objects cannot be read as gzipped lines; the others are clean',
    });
    expect(textOf('shop/3.json.gz')).toBe('');
  });

  it('that breaks off goes on where it was, and forgets neither what it could not read nor what comes after', async () => {
    const kept: string[] = [];
    const progressFrom = (reached?: string) => ({ reached, keep: async (text: string) => void kept.push(text) });
    const name = (n: number) => `shop/${String(n).padStart(3, '0')}.json.gz`;
    const ofAda = [0, 249, 280, 299];
    store.pageSize = 100;
    for (let n = 0; n < 300; n += 1) put(name(n), `{"userId":"${ofAda.includes(n) ? 'ada' : 'bob'}"}`);
    store.put(name(7), Buffer.from('no gzip'));
    store.intercept = (method, { pathname }, response) => {
      if (method !== 'GET' || !pathname.endsWith('/280.json.gz')) return false;
      failure(response, 403, 'AccessDenied');
      return true;
    };
    expect(await forget(['ada'], {}, openOutbound(), progressFrom())).toMatchObject({ status: 'failed' });
    const read: string[] = [];
    store.intercept = (method, { pathname }) => {
      if (method === 'GET' && pathname.endsWith('.gz')) read.push(pathname);
      return false;
    };
    const outcome = await forget(['ada'], {}, openOutbound(), progressFrom(kept[0]));
    expect(outcome).toMatchObject({ status: 'aborted', reason: expect.stringMatching(/^1 of 300 /) });
    expect(new Set(read).size).toBeLessThan(100);
    for (const n of ofAda) expect(textOf(name(n))).toBe('');
  });

  it.each([
    [403, 'AccessDenied', 'the credentials were refused (AccessDenied)'],
    [404, 'NoSuchBucket', 'the object store answered 404 (NoSuchBucket)'],
  ])('is tried again later after %d %s', async (status, code, reason) => {
    store.intercept = (_method, _url, response) => {
      failure(response, status, code);
      return true;
    };
    expect(await forget(['ada'])).toEqual({ status: 'failed', reason });
  });

  it('names no code that is no word', async () => {
    store.intercept = (_method, _url, response) => {
      failure(response, 400, 'a code of ada');
      return true;
    };
    expect(await forget(['ada'])).toEqual({ status: 'failed', reason: 'the object store answered 400' });
  });

  it('is complete where nothing is stored', async () => {
    expect(await forget(['ada'])).toEqual({ status: 'complete' });
  });

  it.each([
    ['before it is read', 1],
    ['before it is rewritten', 2],
  ])('is complete when an object is gone %s', async (_, last) => {
    put('shop/1.json.gz', '{"userId":"ada"}');
    let reads = 0;
    store.intercept = (method, { pathname }) => {
      reads += method === 'GET' && pathname.endsWith('.gz') ? 1 : 0;
      if (reads === last) store.objects.delete('shop/1.json.gz');
      return false;
    };
    expect(await forget(['ada'])).toEqual({ status: 'complete' });
    expect(store.objects.size).toBe(0);
  });

  it('gives up for now when others write the object each time', async () => {
    put('shop/1.json.gz', '{"userId":"ada"}');
    let writes = 0;
    store.intercept = (method, _url, response) => {
      if (method !== 'PUT') return false;
      writes += 1;
      failure(response, 412, 'PreconditionFailed');
      return true;
    };
    expect(await forget(['ada'])).toMatchObject({ status: 'failed', reason: expect.stringContaining('412') });
    expect(writes).toBe(5);
  });

  it('does not rewrite an object whose version the store does not name', async () => {
    put('shop/1.json.gz', '{"userId":"ada"}');
    store.intercept = (method, { pathname }, response) => {
      if (method !== 'GET' || !pathname.endsWith('.gz')) return false;
      response.writeHead(200).end(store.objects.get('shop/1.json.gz')?.bytes);
      return true;
    };
    await expect(forget(['ada'])).rejects.toThrow('without body or ETag');
    expect(writesOf('shop/1.json.gz')).toBe(1);
  });

  it('passes on that the way out refused', async () => {
    const refused = Object.assign(new Error('The address is not allowed'), { code: 'blocked' });
    const outbound = { ...openOutbound().outbound, connect: () => Promise.reject(refused) };
    await expect(forget(['ada'], {}, { outbound })).rejects.toBe(refused);
  });
});
