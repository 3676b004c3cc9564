import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import {
  type EventBatch,
  ListDefinitions,
  type LiveOutcome,
  liveOutcomesSubject,
  type SuppressedEvents,
  suppressedEventsSubject,
} from '@weir/contracts';
import { NATS } from '@weir/messaging';
import { eventBatch, trackEvent, until } from '@weir/testing';
import { VIEWS_MAX } from '../src/areas/live-events/live-event.service.js';
import { clientOf, newWorkspace } from './client.js';
import { newDestination, newSource } from './inventory-fixtures.js';
import { TOKEN, useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const gateway = useGateway();
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

const PAD = 'x'.repeat(200_000);
/** Events of that size, far more than views take in the time that sending them needs. */
const FLOOD = 200;
/** Bytes that the gateway has received from the broker. */
const taken = () => gateway.app.get<NatsConnection>(NATS).stats().inBytes;

interface Shown {
  event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests read fields of any event and assert on them
  data: any;
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

/** Reads a stream of server-sent events until it ends, over its own connection. */
async function watch(query = '', headers: Record<string, string> = bearer(TOKEN)) {
  const request = get(`${gateway.url}/v2/live-events${query}`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const shown: Shown[] = [];
  let text = '';
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    shown.push(...blocks.flatMap(shownIn));
  });
  response.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => response.once('close', resolve));
  const view = { response, shown, ended, leave: () => request.destroy() };
  open.push(view);
  return view;
}

function shownIn(block: string): Shown[] {
  const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  return event && data ? [{ event, data: JSON.parse(data) }] : [];
}

const open: { leave: () => void; ended: Promise<void> }[] = [];
afterEach(async () => {
  for (const view of open) view.leave();
  await Promise.all(open.splice(0).map(({ ended }) => ended));
});

/** Publishes accepted batches in one message, one per line, as the filter does. */
const accept = (workspaceId: string, sourceId: string, ...batches: EventBatch['events'][]) =>
  gateway.nats.connection.publish(
    `events.accepted.0.1.${workspaceId}.${sourceId}`,
    batches.map((events) => JSON.stringify(eventBatch({ workspaceId, sourceId, events }))).join('\n'),
  );
const outcome = (sourceId: string, destinationId: string, fields: Partial<LiveOutcome> = {}): LiveOutcome => ({
  ...{ at: '2026-01-01T00:00:00.000Z', destinationId, sourceId, outcome: 'delivered', type: 'track', name: 'Bought' },
  ...fields,
});
const tell = (workspaceId: string, ...outcomes: LiveOutcome[]) =>
  gateway.nats.connection.publish(liveOutcomesSubject(workspaceId), JSON.stringify({ outcomes, skipped: 0 }));

async function scene() {
  const client = clientOf(gateway);
  const [source, destination] = [await newSource(client), await newDestination(client)];
  const workspaceId: string = (await client.get('/v2/workspace')).body.workspace.id;
  return {
    workspaceId,
    source: source.id as string,
    destination: destination.id as string,
  };
}

describe('a live view', () => {
  it('shows accepted events and their deliveries, and the event itself to admins only', async () => {
    const { workspaceId, source, destination } = await scene();
    const view = await watch(`?sourceId=${source}`);
    expect(view.response.statusCode).toBe(200);
    expect(view.response.headers['content-type']).toBe('text/event-stream');
    const event = trackEvent({ event: 'Bought', traits: { password: 'hush' } });
    await until('both', () => {
      accept(workspaceId, source, [event]);
      tell(workspaceId, outcome(source, destination));
      return new Set(view.shown.map((one) => one.event)).size === 2;
    });
    const accepted = view.shown.find((one) => one.event === 'accepted')?.data;
    expect(accepted).toMatchObject({ sourceId: source, type: 'track', name: 'Bought', messageId: event['messageId'] });
    expect(accepted.event).toMatchObject({ userId: event['userId'], traits: { password: '***' } });
    expect(view.shown.find((one) => one.event === 'delivery')?.data).toEqual(outcome(source, destination));
  });

  it('shows how many events were stopped, and nothing of them', async () => {
    const { workspaceId, source } = await scene();
    const view = await watch(`?sourceId=${source}`);
    const event = { sourceId: source, receivedAt: '2026-01-01T00:00:00.000Z', messageId: 'm1', type: 'track' };
    const told: SuppressedEvents = { workspaceId, counts: [{ sourceId: source, events: 3 }], events: [event] };
    await until('the count', () => {
      gateway.nats.connection.publish(suppressedEventsSubject(workspaceId), JSON.stringify(told));
      return view.shown.length > 0;
    });
    expect(view.shown[0]).toEqual({
      event: 'suppressed',
      data: { at: expect.any(String), sourceId: source, events: 3 },
    });
  });

  it('shows every batch of a message, and skips one that cannot be read', async () => {
    const { workspaceId, source } = await scene();
    const view = await watch(`?sourceId=${source}`);
    await until('a first event', () => {
      accept(workspaceId, source, [trackEvent({ event: 'before' })]);
      return view.shown.length > 0;
    });
    const [first, second] = [trackEvent({ event: 'first é' }), trackEvent({ event: 'second' })];
    accept(workspaceId, source, [first], [], [second], [trackEvent({ event: 'last' })]);
    await until('the last event', () => view.shown.some(({ data }) => data.name === 'last'));
    const names = view.shown.map(({ data }) => data.name).filter((name) => name !== 'before');
    expect(names).toEqual(['first é', 'second', 'last']);
  });

  it('shows only what the filters select', async () => {
    const { workspaceId, source, destination } = await scene();
    const other = await scene();
    const [ofSource, ofDestination, ofType] = [
      await watch(`?sourceId=${source}`),
      await watch(`?destinationId=${destination}`),
      await watch('?type=identify'),
    ];
    const names = (view: { shown: Shown[] }) => new Set(view.shown.map(({ event, data }) => `${event} ${data.name}`));
    await until('everything', () => {
      accept(workspaceId, source, [trackEvent({ event: 'mine' })]);
      accept(workspaceId, other.source, [trackEvent({ event: 'theirs' }), { type: 'identify', name: 'typed' }]);
      tell(workspaceId, outcome(source, destination, { name: 'mine' }));
      tell(workspaceId, outcome(other.source, other.destination, { name: 'theirs' }));
      return names(ofSource).size >= 2 && names(ofDestination).size >= 1 && names(ofType).size >= 1;
    });
    expect([...names(ofSource)].sort()).toEqual(['accepted mine', 'delivery mine']);
    expect([...names(ofDestination)]).toEqual(['delivery mine']);
    expect([...names(ofType)]).toEqual(['accepted typed']);
  });

  it('shows nothing of another workspace, and no events to those who are no admins', async () => {
    const { id, reader, admin } = await newWorkspace(gateway);
    const source = await newSource(admin);
    const { workspaceId, source: ownSource } = await scene();
    const token = (await admin.post('/v2/access-tokens', { name: 'viewer', role: 'read-only' })).body.accessToken.token;
    const [foreign, own] = [await watch('', bearer(token)), await watch()];
    await until('both', () => {
      accept(id, source.id, [trackEvent({ event: 'theirs' })]);
      accept(workspaceId, ownSource, [trackEvent({ event: 'ours' })]);
      return foreign.shown.length > 0 && own.shown.length > 0;
    });
    expect(new Set(foreign.shown.map(({ data }) => data.name))).toEqual(new Set(['theirs']));
    expect(new Set(own.shown.map(({ data }) => data.name))).toEqual(new Set(['ours']));
    expect(foreign.shown[0]?.data).not.toHaveProperty('event');
    const answer = await reader.get(`/v2/live-events?sourceId=${ownSource}`);
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/sourceId has no source/) } });
  });

  it('has its bounds: so many in a workspace, and room again when one leaves', async () => {
    for (let n = 0; n < VIEWS_MAX; n += 1) expect((await watch()).response.statusCode).toBe(200);
    const refused = await watch();
    expect(refused.response.statusCode).toBe(429);
    open[0]?.leave();
    await until('room', async () => (await watch()).response.statusCode === 200);
  });

  it('costs one copy of each message, however many watch', async () => {
    const { workspaceId, source } = await scene();
    const views = await Promise.all(Array.from({ length: 5 }, () => watch()));
    const allShow = (name: string) => views.every(({ shown }) => shown.some(({ data }) => data.name === name));
    await until('each to see a first event', () => {
      accept(workspaceId, source, [trackEvent({ event: 'first' })]);
      return allShow('first');
    });
    const before = taken();
    accept(workspaceId, source, [trackEvent({ event: 'large', pad: PAD })]);
    await until('each to see a large one', () => allShow('large'));
    expect(taken() - before).toBeLessThan(2 * PAD.length);
  });

  it('takes few bytes of many, says that events were left out, and goes on', async () => {
    const { workspaceId, source } = await scene();
    const view = await watch(`?sourceId=${source}`);
    await until('a first event', () => {
      accept(workspaceId, source, [trackEvent({ event: 'first' })]);
      return view.shown.length > 0;
    });
    const before = taken();
    for (let n = 0; n < FLOOD; n += 1) {
      accept(workspaceId, source, [{ type: 'identify', pad: PAD }]);
      await gateway.nats.connection.flush();
    }
    expect(taken() - before).toBeLessThan((FLOOD * PAD.length) / 2);
    await until('both', () => {
      accept(workspaceId, source, [trackEvent({ event: 'last' })]);
      const isShown = (of: (one: Shown) => boolean) => view.shown.some(of);
      return isShown(({ event }) => event === 'skipped') && isShown(({ data }) => data.name === 'last');
    });
  });

  it.each(['?type=Track', '?destinationId=x', '?sourceId=1&sourceId=2'])('refuses %s', async (query) => {
    expect(await clientOf(gateway).get(`/v2/live-events${query}`)).toMatchObject({ status: 400 });
  });

  it('ends with the token or the session that it was opened with, and others go on', async () => {
    const { admin } = await newWorkspace(gateway);
    const newToken = async () =>
      (await admin.post('/v2/access-tokens', { name: 'viewer', role: 'read' })).body.accessToken;
    const [kept, revoked] = [await newToken(), await newToken()];
    const body = { token: kept.token };
    const signedIn = await clientOf(gateway, 'nobody').post('/console/session', body, {
      headers: { origin: gateway.url },
    });
    const browser = { cookie: (signedIn.headers.get('set-cookie') ?? '').split(';', 1)[0] ?? '', origin: gateway.url };
    const [still, ofToken, ofSession] = [
      await watch('', bearer(kept.token)),
      await watch('', bearer(revoked.token)),
      await watch('', browser),
    ];
    expect([still, ofToken, ofSession].map(({ response }) => response.statusCode)).toEqual([200, 200, 200]);
    await admin.delete(`/v2/access-tokens/${revoked.id}`);
    await ofToken.ended;
    expect(ofToken.shown.at(-1)).toEqual({ event: 'end', data: {} });
    expect(ofSession.response.closed).toBe(false);
    await clientOf(gateway, 'nobody').delete('/console/session', { headers: browser });
    await ofSession.ended;
    expect(still.response.closed).toBe(false);
  });

  it('ends with a word when the gateway stops', async () => {
    const view = await watch();
    await gateway.app.close();
    await view.ended;
    expect(view.shown.at(-1)).toEqual({ event: 'end', data: {} });
  });
});
