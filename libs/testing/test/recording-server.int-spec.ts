import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type RecordingServer, recordingServer } from '../src/index.js';

describe('recordingServer', () => {
  let server: RecordingServer;
  beforeAll(async () => {
    server = await recordingServer();
  });
  afterEach(() => server.clear());
  afterAll(() => server.close());

  it('keeps what came', async () => {
    await fetch(`${server.url}/hook?x=1`, { method: 'POST', body: '{"a":1}', headers: { 'x-test': 'yes' } });
    const [request] = await server.received(1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook?x=1', json: { a: 1 }, headers: { 'x-test': 'yes' } });
  });

  it('plays its script and then answers 200', async () => {
    server.script({ status: 503, headers: { 'retry-after': '1' } }, { status: 400, body: { error: 'no' } });
    const answers = [await fetch(server.url), await fetch(server.url), await fetch(server.url)];
    expect(answers.map(({ status }) => status)).toEqual([503, 400, 200]);
    expect(answers[0]?.headers.get('retry-after')).toBe('1');
    expect(await answers[1]?.json()).toEqual({ error: 'no' });
  });

  it('cuts the connection before and within an answer', async () => {
    server.script({ reset: 'before' });
    await expect(fetch(server.url)).rejects.toThrow('fetch failed');
    server.script({ reset: 'within', bodyBytes: 1_000_000 });
    await expect(fetch(server.url).then((answer) => answer.text())).rejects.toThrow();
    server.script({ reset: 'within' });
    await expect(fetch(server.url).then((answer) => answer.text())).rejects.toThrow();
  });

  it('hangs while it answers others, and sends much', async () => {
    server.script({ hang: true }, { bodyBytes: 5_000 });
    const giveUp = new AbortController();
    const hanging = fetch(server.url, { signal: giveUp.signal });
    await server.received(1);
    expect((await (await fetch(server.url)).text()).length).toBe(5_000);
    giveUp.abort();
    await expect(hanging).rejects.toThrow(/abort/);
  });

  it('delays an answer for as long as it is told', async () => {
    jest.useFakeTimers({ doNotFake: ['Date', 'nextTick', 'queueMicrotask', 'setImmediate'] });
    try {
      server.script({ status: 201, delayMs: 60 });
      const answered: number[] = [];
      const delayed = fetch(server.url).then(({ status }) => answered.push(status));
      await server.received(1);
      jest.advanceTimersByTime(59);
      answered.push((await fetch(server.url)).status); // takes a full round trip while the first request waits
      jest.advanceTimersByTime(1);
      await delayed;
      expect(answered).toEqual([200, 201]);
    } finally {
      jest.useRealTimers();
    }
  });
});
