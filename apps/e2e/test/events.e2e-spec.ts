import { beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { useHook } from './support/hook.js';
import { connect, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Drops, fails, changes or passes an event, as its name says. */
const CODE = `export function transformEvent(event) {
  if (event.event === 'Dropped') return null;
  if (event.event === 'Broken') throw new Error('no plan');
  event.properties = { plan: 'pro' };
  return event;
}`;

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

// biome-ignore lint/suspicious/noExplicitAny: a test reads fields of any answer and asserts on them
type Trace = any;

/** Resolves with the trace once it has this status at its destination. */
const traced = (messageId: string, status: string): Promise<Trace> =>
  until(`${messageId} to be ${status}`, async () => {
    const { status: http, body } = await own.reader.get(`/v2/events/${messageId}`);
    return http === 200 && body.destinations[0]?.status === status && body;
  });

describe('GET /v2/events/{messageId}', () => {
  it('follows an event through code, refusal, death and replay', async () => {
    const source = await newSource(own.writer);
    const destination = await newWebhook(own.writer, `${hook.url}/events`);
    await connect(own.writer, source, destination);
    const code = { name: 'walk', code: CODE, destinationIds: [destination.id] };
    made(await own.writer.post('/transformations?publish=true', code));
    hook.answer({ status: 422, body: { problem: 'no such plan' } });

    // until the code is live, events pass it by
    await until('the code to be live', async () => {
      const messageId = `walk-${Date.now()}`;
      await sendEvent(source, 'track', { userId: 'ada', event: 'Broken', messageId });
      const trace = await traced(messageId, 'dead');
      return trace.destinations[0].steps.at(-1).stage === 'user_transform' && trace;
    });
    await sendEvent(source, 'track', { userId: 'ada', event: 'Dropped', messageId: 'walk/dropped' });
    const dropped = await traced('walk%2Fdropped', 'dropped_by_code');
    expect(dropped).toMatchObject({ messageId: 'walk/dropped', eventName: 'Dropped', bytes: expect.any(Number) });

    await sendEvent(source, 'track', { userId: 'ada', event: 'Bought', messageId: 'walk-dead' });
    const dead = await traced('walk-dead', 'dead');
    expect(dead.destinations[0].steps).toMatchObject([
      { step: 'failed', attempt: 1, responseStatus: 422, code: { result: 'changed', versionId: expect.any(String) } },
      { step: 'dead', stage: 'delivery', reason: '{"problem":"no such plan"}' },
    ]);
    expect(JSON.stringify(dead)).not.toMatch(/\bada\b|"pro"/);
    const seen = made(await own.admin.get('/v2/events/walk-dead'));
    expect(seen.destinations[0].steps[0].payloads[0].body.JSON).toMatchObject({ properties: { plan: 'pro' } });

    hook.answer({});
    const { path, body } = dead.destinations[0].steps.at(-1).replay;
    made(await own.writer.post(path, body));
    const delivered = await traced('walk-dead', 'delivered');
    expect(delivered.destinations[0].steps.map(({ step }: Trace) => step)).toEqual([
      ...['failed', 'dead', 'replayed', 'delivered'],
    ]);
    const listed = made(await own.reader.get('/v2/events?userId=ada')).data;
    expect(listed[0]).toMatchObject({ messageId: 'walk-dead' });
    expectRefusal(await own.reader.get('/v2/events'), 400);
    expect(await (await newWorkspace()).reader.get('/v2/events/walk-dead')).toMatchObject({ status: 404 });
  });

  it('tells that an event was stopped, and forgets the events of a deleted user', async () => {
    const source = await newSource(own.writer);
    const destination = await newWebhook(own.writer, `${hook.url}/gone`);
    await connect(own.writer, source, destination);
    hook.answer({});
    await sendEvent(source, 'track', { userId: 'gone', event: 'Bought', messageId: 'before' });
    await traced('before', 'delivered');
    const regulation = {
      regulationType: 'suppress_with_delete',
      destinationIds: [destination.id],
      users: [{ userId: 'gone' }],
    };
    expect((await own.writer.post('/v2/regulations', regulation)).status).toBeLessThan(300);
    await sendEvent(source, 'track', { userId: 'gone', event: 'Bought', messageId: 'after' });
    const stopped = await until('the suppressed event', async () => {
      const { status, body } = await own.reader.get('/v2/events/after');
      return status === 200 && body;
    });
    expect(stopped).toMatchObject({ status: 'suppressed', sourceId: source.id, destinations: [] });
    expect(JSON.stringify(stopped)).not.toContain('gone');
    await until('the trace to be purged', async () => (await own.reader.get('/v2/events/before')).status === 404);
    expect(made(await own.reader.get('/v2/events?userId=gone')).data).toEqual([]);
  });
});
