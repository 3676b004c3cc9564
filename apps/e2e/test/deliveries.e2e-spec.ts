import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { basic, until } from '@weir/testing';
import { useHook } from './support/hook.js';
import { connect, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

async function connected(path: string) {
  const source = await newSource(own.writer);
  const destination = await newWebhook(own.writer, hook.url + path);
  await connect(own.writer, source, destination);
  return { source, destination };
}

describe('a delivery that fails for good', () => {
  it('is listed with its reason, counted, and sent again when it is asked for', async () => {
    const { source, destination } = await connected('/repaired');
    hook.answer({ status: 422, body: { problem: 'no such plan' } });
    await sendEvent(source, 'track', { userId: 'ada', event: 'Bought', messageId: 'lost-1' });
    const listed = async () => made(await own.reader.get(`/v2/deliveries?destinationId=${destination.id}`)).data;
    const [letter] = await until('a dead letter', async () => {
      const found = await listed();
      return found.length > 0 && found;
    });
    const failed = { status: 'dead', stage: 'delivery', attempts: 1, responseStatus: 422, messageId: 'lost-1' };
    expect(letter).toMatchObject({ ...failed, reason: '{"problem":"no such plan"}' });
    expect(letter).not.toHaveProperty('event');
    expect(made(await own.admin.get(`/v2/deliveries/${letter.id}`)).event).toMatchObject({ userId: 'ada' });
    // each of the three is counted by itself, and written with the next flush
    const counters = await until('the counters', async () => {
      const [found] = made(await own.reader.get(`/v2/deliveries/counters?destinationId=${destination.id}`)).data;
      return found?.accepted > 0 && found.failed > 0 && found.dead > 0 && found;
    });
    expect(counters).toMatchObject({ accepted: 1, failed: 1, dead: 1, delivered: 0, inRetry: 0 });

    hook.answer({});
    hook.clear();
    expectRefusal(await own.reader.post('/v2/deliveries/replay', { ids: [letter.id] }), 403);
    const plan = made(await own.writer.post('/v2/deliveries/replay', { ids: [letter.id] }));
    expect(plan).toMatchObject({ dryRun: true, deliveries: 1 });
    expect(await listed()).toHaveLength(1);
    made(await own.writer.post('/v2/deliveries/replay', { dryRun: false, ids: [letter.id] }));
    await hook.received(1);
    expect(hook.requests[0]?.json).toMatchObject({ messageId: 'lost-1', event: 'Bought' });
    // the letter goes with the transaction that sends it, which may end after the event has arrived
    await until('the letter to be gone', async () => (await listed()).length === 0);
  });
});

describe('GET /v2/live-events', () => {
  it('shows an event and what becomes of it, as it happens', async () => {
    const { source, destination } = await connected('/live');
    const [token, left] = [own.tokens['read-only'], new AbortController()];
    const url = `${sharedStack().urls[0]}/v2/live-events?sourceId=${source.id}`;
    const response = await fetch(url, { headers: { authorization: basic('', token) }, signal: left.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString();
    })().catch(() => undefined);
    await sendEvent(source, 'track', { userId: 'ada', event: 'Watched' });
    await until('both', () => text.includes('event: accepted') && text.includes('"outcome":"delivered"'));
    left.abort();
    await reading;
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(text).toContain('event: delivery');
    expect(text).toContain(`"destinationId":"${destination.id}"`);
    expect(text).not.toMatch(/\bada\b/);
  });
});
