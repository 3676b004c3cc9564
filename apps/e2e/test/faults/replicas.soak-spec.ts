import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '@weir/local';
import { api, type RecordingServer, recordingServer, until } from '@weir/testing';
import { collected, countsOf, delivered, pipeline, Sender } from '../support/traffic.js';

/** Runs every process twice, on one database and one broker. */
describe('two of every process', () => {
  const stack = useStack({ replicas: 2 });
  let hook: RecordingServer;

  beforeAll(async () => {
    hook = await recordingServer();
  });

  afterAll(() => hook.close());

  const clients = () => [api(stack().address, 'bearer', 0), api(stack().address, 'bearer', 1)] as const;

  it('share the traffic and do nothing twice', async () => {
    const { writeKey } = await pipeline(stack().address, hook, 'shared');
    const sender = new Sender(stack().address, writeKey);
    await sender.sendFor('Shared', 3);
    await sender.settled();
    expect(sender.takenBy).toEqual([150, 150]);
    await until('every event to arrive', () => countsOf(delivered(hook))['Shared'] === 300);
    await until(
      'every event to be counted',
      async () => (await collected(stack().address, writeKey))['Shared'] === 300,
    );
    expect(hook.requests).toHaveLength(300);
    expect(await collected(stack().address, writeKey)).toEqual({ Shared: 300 });
  });

  it('see at once what was written through the other gateway', async () => {
    const [first, second] = clients();
    const { source } = (await first.post('/v2/sources', { name: 'seen', type: 'HTTP', enabled: true })).body;
    expect((await second.get(`/v2/sources/${source.id}`)).body.source).toEqual(source);
    const taken = await api(stack().address, { writeKey: source.writeKey }, 1).post('/v1/track', {
      anonymousId: 'a',
      event: 'Seen',
    });
    expect(taken.status).toBe(200);
    expect((await second.delete(`/v2/sources/${source.id}`)).status).toBe(204);
    expect((await first.get(`/v2/sources/${source.id}`)).status).toBe(404);
  });

  it('suppress through one what comes in through the other', async () => {
    const [first] = clients();
    hook.clear();
    const { writeKey } = await pipeline(stack().address, hook, 'suppressed');
    const created = await first.post('/v2/regulations', { regulationType: 'suppress', users: [{ userId: 'gone' }] });
    expect(created.status).toBe(201);
    const intake = api(stack().address, { writeKey }, 1);
    await intake.post('/v1/track', { userId: 'gone', event: 'Hidden' });
    await intake.post('/v1/track', { userId: 'here', event: 'Shown' });
    await until('the other event to arrive', () => delivered(hook).has('Shown'));
    await until('it to be counted', async () => 'Shown' in (await collected(stack().address, writeKey)));
    expect(await collected(stack().address, writeKey)).toEqual({ Shown: 1 });
    expect([...delivered(hook).keys()]).toEqual(['Shown']);
  });

  it('delete a user at a destination once', async () => {
    const [first, second] = clients();
    const config = { webhookUrl: `${hook.url}/hook`, deletionUrl: `${hook.url}/forget` };
    const { destination } = (
      await first.post('/v2/destinations', { name: 'forgetful', type: 'WEBHOOK', enabled: true, config })
    ).body;
    const [record] = (
      await second.post('/v2/regulations', {
        regulationType: 'suppress_with_delete',
        destinationIds: [destination.id],
        users: [{ userId: 'forgotten' }],
      })
    ).body;
    const status = async () => (await first.get(`/v2/regulations/${record.id}`)).body.deletion?.status;
    await until('the deletion to end', async () => (await status()) === 'complete');
    expect(hook.requests.filter(({ path }) => path === '/forget')).toHaveLength(1);
  });

  it('publish one order of two publishes that race', async () => {
    const [first, second] = clients();
    const code = (mark: string) => `export function transformEvent(event) { event.mark = '${mark}'; return event; }`;
    const { body: made } = await first.post('/transformations?publish=true', { name: 'raced', code: code('zero') });
    const answers = await Promise.all(
      [first, second, first, second].map((client, n) =>
        client.post(`/transformations/${made.id}?publish=true`, { code: code(String(n)) }),
      ),
    );
    const acknowledged = answers.filter(({ status }) => status === 200).map(({ body }) => body.versionId);
    const { TransformationVersions: versions } = (await second.get(`/transformations/${made.id}/versions?count=100`))
      .body;
    const live = versions.filter(({ isPublished }: { isPublished: boolean }) => isPublished);
    expect(live).toHaveLength(1);
    expect(acknowledged).toContain(live[0].versionId);
    expect((await first.get(`/transformations/${made.id}`)).body.versionId).toBe(live[0].versionId);
  });
});
