import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { s3Delete } from '../src/kinds/s3/s3.deletion.js';
import s3 from '../src/kinds/s3/s3.js';
import { openOutbound } from './redis.fixtures.js';
import { failure, ObjectStore } from './s3.fixtures.js';
import { itemsFor, openSession, refusal, refusing } from './session.fixtures.js';

let store: ObjectStore;
let config: JsonObject;
beforeEach(async () => {
  store = new ObjectStore();
  const place = { endPoint: await store.start(), useSSL: false, s3ForcePathStyle: true };
  config = { ...place, bucketName: 'events', prefix: 'shop', accessKeyID: 'id', accessKey: 'hush' };
});
afterEach(() => store.stop());

const events = [
  { type: 'track', userId: 'ada', receivedAt: '2026-01-31T23:59:59.000Z' },
  { type: 'page', userId: 'bob', receivedAt: '2026-02-01T00:00:01.000Z' },
];
const linesOf = (key: string) =>
  gunzipSync(store.objects.get(key)?.bytes ?? '')
    .toString()
    .split('\n');

describe('a delivery to an object store', () => {
  it('is one object of gzipped lines, filed by the time of its first event', async () => {
    const { session, deliver, connections } = openSession(s3, config);
    expect(await deliver(...events)).toMatchObject([{ status: 200 }, { status: 200 }]);
    const [key = '', ...more] = store.objects.keys();
    expect(more).toEqual([]);
    expect(key).toMatch(/^shop\/2026-01-31\/23\/20260131T235959000Z-[\da-f]{16}\.json\.gz$/);
    expect(linesOf(key)).toEqual([...events.map((event) => JSON.stringify(event)), '']);
    expect(new Set(connections.map(({ host, port }) => `${host}:${port}`))).toEqual(new Set([config['endPoint']]));
    await session.close();
  });

  it('is filed by the time of its delivery when its first event names none, and encrypted if configured', async () => {
    const { session, deliver } = openSession(s3, { ...config, enableSSE: true });
    const before = new Date().toISOString().slice(0, 10);
    await deliver({ type: 'track', userId: 'ada' });
    const [[key = '', object] = []] = store.objects;
    expect([before, new Date().toISOString().slice(0, 10)]).toContain(key.split('/')[1]);
    expect(object?.headers).toMatchObject({ 'x-amz-server-side-encryption': 'AES256' });
    await session.close();
  });

  it('replaces what an attempt without an answer has left', async () => {
    const { session } = openSession(s3, config);
    const items = itemsFor(s3, config, events);
    let answers = 0;
    store.intercept = (method, { pathname }, response) => {
      if (method !== 'PUT' || answers++ > 0) return false;
      store.put(pathname.slice('/events/'.length), Buffer.from('half'));
      failure(response, 400, 'RequestTimeout');
      return true;
    };
    const [first] = await session.deliver(items);
    if (first?.status !== 200) expect(await session.deliver(items)).toMatchObject([{ status: 200 }, { status: 200 }]);
    expect([...store.objects.keys()]).toHaveLength(1);
    expect(linesOf([...store.objects.keys()][0] ?? '')).toHaveLength(3);
    await session.close();
  });

  it('can be forgotten by the deletion of the same kind', async () => {
    const { session, deliver } = openSession(s3, config);
    await deliver(...events);
    await session.close();
    const request = { regulationId: 'r1', destinationId: 'd1', config, users: [{ userId: 'ada' }] };
    expect(await s3Delete(request, openOutbound().outbound)).toEqual({ status: 'complete' });
    expect(linesOf([...store.objects.keys()][0] ?? '')).toEqual([JSON.stringify(events[1]), '']);
  });

  it.each([
    [403, 'AccessDenied', ' (AccessDenied)'],
    [404, 'NoSuchBucket', ' (NoSuchBucket)'],
    [400, 'a code of ada', ''],
  ])('is tried again after %d %s', async (status, code, named) => {
    store.intercept = (_method, _url, response) => {
      failure(response, status, code);
      return true;
    };
    const { session, deliver } = openSession(s3, config);
    const response = `The object store answered ${status}${named}`;
    expect(await deliver(...events)).toEqual(events.map(() => ({ status: 503, response })));
    await session.close();
  });

  it('passes on that the way out refused', async () => {
    const { session, deliver } = openSession(s3, config, refusing());
    await expect(deliver(...events)).rejects.toBe(refusal);
    await session.close();
  });
});
