import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, intakeOf, newSource, newSourceTo, newWebhook, type Source } from './support/inventory.js';
import { expectText, UUID } from './support/matchers.js';
import { newWorkspace, type Workspace } from './support/workspace.js';

/** Larger bodies are refused, measured after decompression (wire-facts 6.4). */
const BODY_BYTES_MAX = 4_096_000;
const EVENT_BYTES_MAX = 524_288;

const hook = useHook();
let own: Workspace;
let source: Source;
beforeAll(async () => {
  own = await newWorkspace();
  source = await newSourceTo(own.writer, `${hook.url}/hook`);
});

const arrived = async (messageId: string) => (await delivered(hook, '/hook', messageId)).json;
const post = (call: string, body: unknown, headers: Record<string, string> = {}) =>
  intakeOf(source).post(`/v1/${call}`, body, { headers });
const filler = (bytes: number) => 'x'.repeat(bytes);

describe('the intake takes', () => {
  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])(
    '/v1/%s, answers OK and writes the type into the event',
    async (call) => {
      const messageId = uniqueName(call);
      const answer = await post(call, {
        type: 'other',
        messageId,
        userId: 'u',
        event: 'e',
        name: 'n',
        previousId: 'p',
      });
      expectText(answer, 200, 'OK');
      expect(await arrived(messageId)).toMatchObject({ type: call, messageId, userId: 'u' });
    },
  );

  it('/v1/batch, whose events keep their types and their order', async () => {
    const ids = ['first', 'second', 'third'].map(uniqueName);
    const [first = '', second = '', third = ''] = ids;
    const batch = [
      { type: 'identify', messageId: first, userId: 'u' },
      { type: 'track', event: 'Bought', messageId: second, userId: 'u' },
      { type: 'page', name: 'Home', messageId: third, anonymousId: 'a' },
    ];
    expectText(await post('batch', { batch }), 200, 'OK');
    for (const event of batch) expect(await arrived(event.messageId)).toMatchObject(event);
  });

  it.each(['gzip', 'x-gzip'])('%s bodies', async (encoding) => {
    const messageId = uniqueName('zipped');
    const bytes = gzipSync(JSON.stringify({ messageId, userId: 'u', event: 'Zipped' }));
    expectText(await post('track', bytes, { 'content-encoding': encoding }), 200, 'OK');
    expect(await arrived(messageId)).toMatchObject({ event: 'Zipped' });
  });

  it('JSON whatever the content type says', async () => {
    const text = JSON.stringify({ userId: 'u', event: 'e' });
    expectText(await post('track', text, { 'content-type': 'text/plain' }), 200, 'OK');
    expectText(await post('track', text, { 'content-type': 'nonsense' }), 200, 'OK');
  });

  it('the preflight of a browser', async () => {
    const [url] = sharedStack().urls;
    const headers = { origin: 'https://shop.example.com', 'access-control-request-method': 'POST' };
    const answer = await fetch(`${url}/v1/track`, { method: 'OPTIONS', headers });
    expect(answer.status).toBeLessThan(300);
    expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example.com');
  });
});

describe('an event arrives with', () => {
  it('a message id, an id of the person, times and the address of its sender', async () => {
    const marker = uniqueName('plain');
    const before = Date.now();
    await post('track', { userId: ' u1 ', event: marker, messageId: marker }, { 'x-forwarded-for': '203.0.113.9' });
    const event = await arrived(marker);
    expect(event).toMatchObject({ rudderId: UUID, request_ip: expect.any(String) });
    for (const key of ['receivedAt', 'originalTimestamp', 'sentAt', 'timestamp']) {
      expect(Date.parse(event[key] as string)).toBeGreaterThanOrEqual(before - 1);
    }
  });

  it('a message id of its own when it has none', async () => {
    const path = uniqueName('no-id').replaceAll(' ', '-');
    const other = await newSource(own.writer);
    await connect(own.writer, other, await newWebhook(own.writer, `${hook.url}/${path}`));
    await intakeOf(other).post('/v1/track', { userId: 'u', event: 'e', messageId: '  ' });
    const event = await until('the event', () => eventsAt(hook, `/${path}`)[0]);
    expect(event).toMatchObject({ messageId: UUID });
  });

  it('the same rudderId for the same person, another for another', async () => {
    const ids = ['a', 'b', 'c'].map(uniqueName);
    const [a = '', b = '', c = ''] = ids;
    await post('track', { userId: 'same', event: 'e', messageId: a });
    await post('page', { userId: 'same', name: 'n', messageId: b });
    await post('track', { userId: 'different', event: 'e', messageId: c });
    const [first, second, third] = [await arrived(a), await arrived(b), await arrived(c)];
    expect(second['rudderId']).toBe(first['rudderId']);
    expect(third['rudderId']).not.toBe(first['rudderId']);
  });

  it('what the client said, when it said it', async () => {
    const messageId = uniqueName('said');
    const said = { receivedAt: '2026-03-01T10:00:00.000Z', request_ip: '198.51.100.7', messageId };
    await post('track', { ...said, userId: 'u', event: 'e', timestamp: '2026-02-01T10:00:00Z' });
    expect(await arrived(messageId)).toMatchObject({ ...said, timestamp: '2026-02-01T10:00:00.000Z' });
  });

  it("a timestamp that corrects the client's clock by when it sent", async () => {
    const messageId = uniqueName('corrected');
    const times = {
      receivedAt: '2026-03-01T10:00:10.000Z',
      sentAt: '2026-03-01T12:00:05.000Z',
      originalTimestamp: '2026-03-01T12:00:00.000Z',
    };
    await post('track', { userId: 'u', event: 'e', messageId, ...times });
    expect(await arrived(messageId)).toMatchObject({ ...times, timestamp: '2026-03-01T10:00:05.000Z' });
  });

  it('the sentAt of its batch when it has none', async () => {
    const messageId = uniqueName('sent');
    const sentAt = '2026-03-01T12:00:05.000Z';
    await post('batch', { sentAt, batch: [{ type: 'track', event: 'e', userId: 'u', messageId }] });
    expect(await arrived(messageId)).toMatchObject({ sentAt });
  });
});

describe('the intake refuses', () => {
  const event = { userId: 'u', event: 'e' };
  const refusals: [string, string, unknown, number, string][] = [
    ['no body', 'track', '', 400, 'request body is nil'],
    ['broken JSON', 'track', '{"userId":', 400, 'invalid json'],
    ['too deep JSON', 'track', `{"userId":"u","a":${'['.repeat(500)}${']'.repeat(500)}}`, 400, 'invalid json'],
    ['a list', 'track', [event], 400, 'event is not a valid rudder event'],
    ['a text', 'track', '"event"', 400, 'event is not a valid rudder event'],
    ['null', 'track', 'null', 400, 'event is not a valid rudder event'],
    ['an event of nobody', 'track', { event: 'e' }, 400, 'request neither has anonymousId nor userId'],
    ['an event of a blank user', 'track', { userId: '  ' }, 400, 'request neither has anonymousId nor userId'],
    ['a batch without events', 'batch', { batch: [] }, 400, 'empty batch payload'],
    ['a batch that is none', 'batch', event, 400, 'empty batch payload'],
    ['a batch with a text', 'batch', { batch: [event, 'e'] }, 400, 'event is not a valid rudder event'],
    [
      'an event that is too large',
      'track',
      { ...event, a: filler(EVENT_BYTES_MAX) },
      413,
      'request size exceeds max limit of 524288 bytes an event',
    ],
    [
      'a body that is too large',
      'track',
      filler(BODY_BYTES_MAX + 1),
      413,
      'request size exceeds max limit of 4096000 bytes',
    ],
  ];
  it.each(refusals)('%s', async (_, call, body, status, text) => {
    expectText(await post(call, body), status, text);
  });

  it('a small body that inflates to a large one', async () => {
    const bomb = gzipSync(filler(BODY_BYTES_MAX * 20));
    expect(bomb.length).toBeLessThan(200_000);
    const answer = await post('track', bomb, { 'content-encoding': 'gzip' });
    expectText(answer, 413, 'request size exceeds max limit of 4096000 bytes');
  });

  it('what it cannot inflate', async () => {
    const broken = await post('track', 'no gzip', { 'content-encoding': 'gzip' });
    expectText(broken, 400, 'failed to read body from request');
    const unknown = await post('track', '{}', { 'content-encoding': 'br' });
    expectText(unknown, 415, 'content encoding is neither gzip nor identity');
  });

  it('a whole batch for one bad event, and stores none of it', async () => {
    const messageId = uniqueName('unwanted');
    const good = { type: 'track', event: 'e', userId: 'u', messageId };
    expectText(
      await post('batch', { batch: [good, { type: 'track' }] }),
      400,
      'request neither has anonymousId nor userId',
    );
    const marker = uniqueName('after');
    await post('track', { userId: 'u', event: 'e', messageId: marker });
    await arrived(marker); // order is kept, so the other would be here by now
    expect(hook.requests.some(({ body }) => body.includes(messageId))).toBe(false);
  });

  it('other methods with 405 and unknown paths with 404, both in plain text', async () => {
    const other = await intakeOf(source).get('/v1/track');
    expect(other.status).toBe(405);
    expect(other.headers.get('allow')).toContain('POST');
    expect(other.body).toBeUndefined();
    const unknown = await intakeOf(source).post('/v1/nothing', event);
    expect(unknown.status).toBe(404);
    expect(unknown.body).toBeUndefined();
  });

  it('events of a disabled source with 404', async () => {
    const disabled = await newSource(own.writer, { enabled: false });
    expectText(await intakeOf(disabled).post('/v1/track', event), 404, 'source is disabled');
  });
});
