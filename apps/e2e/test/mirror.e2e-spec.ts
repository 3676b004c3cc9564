import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName, until } from '@weir/testing';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** A workspace with a source, as a data plane of its own. */
interface Plane extends Workspace {
  source: Source;
  /** Where its webhook delivers. */
  path: string;
}

const hook = useHook();
let here: Plane;
let there: Plane;
beforeAll(async () => {
  [here, there] = [await newPlane(), await newPlane()];
});

async function newPlane(): Promise<Plane> {
  const workspace = await newWorkspace();
  const source = await newSource(workspace.writer);
  const path = `/${uniqueName('path').replace(' ', '-')}`;
  await connect(workspace.writer, source, await newWebhook(workspace.writer, `${hook.url}${path}`));
  return { ...workspace, source, path };
}

/** Copies events of a plane to another one, and returns the id of the destination. */
async function mirror(from: Plane, to: Plane, dataPlaneUrl = sharedStack().urls[0]): Promise<string> {
  const config = { dataPlaneUrl, writeKey: to.source.writeKey };
  const body = { name: uniqueName('mirror'), type: 'DATA_PLANE', config };
  const { destination } = made(await from.writer.post('/v2/destinations', body));
  await connect(from.writer, from.source, destination);
  return destination.id;
}

it('two data planes that copy to each other both get an event once, as its client sent it', async () => {
  await mirror(here, there);
  const back = await mirror(there, here);
  const messageId = uniqueName('event');
  const sent = {
    ...{ messageId, userId: 'ada', event: 'Bought', properties: { price: 5, list: [{ a: null }] } },
    ...{ originalTimestamp: '2026-01-02T03:04:05.000Z', sentAt: '2026-01-02T03:04:06.000Z' },
  };
  await sendEvent(here.source, 'track', sent);
  const original = await delivered(hook, here.path, messageId);
  const copy = await delivered(hook, there.path, messageId);
  const { integrations, receivedAt: _, ...event } = copy.json;
  expect(original.json).toMatchObject({ ...sent, ...event });
  expect(integrations).toEqual({ 'Data plane': false });
  await until('the copy to end', async () => {
    const { body } = await there.reader.get(`/v2/events/${encodeURIComponent(messageId)}`);
    const destinations: { destinationId: string; status: string }[] = body?.destinations ?? [];
    return destinations.some((one) => one.destinationId === back && one.status === 'filtered');
  });
  expect([here, there].map(({ path }) => eventsAt(hook, path).length)).toEqual([1, 1]);
});

it('a data plane that never answers delays no other destination', async () => {
  let asked = 0;
  const silent = createServer(() => {
    asked += 1;
  });
  await new Promise<void>((listening) => silent.listen(0, '127.0.0.1', listening));
  const plane = await newPlane();
  await mirror(plane, there, `http://127.0.0.1:${(silent.address() as AddressInfo).port}`);
  const ids = Array.from({ length: 200 }, () => uniqueName('event'));
  try {
    await sendEvent(plane.source, 'track', { messageId: ids[0], userId: 'ada', event: 'Bought' });
    await until('the silent data plane to be asked', () => asked > 0);
    for (const messageId of ids.slice(1))
      await sendEvent(plane.source, 'track', { messageId, userId: 'ada', event: 'Bought' });
    await until('all events at the webhook', () => eventsAt(hook, plane.path).length >= ids.length);
    expect(eventsAt(hook, plane.path).map(({ messageId }) => messageId)).toEqual(ids);
  } finally {
    silent.closeAllConnections();
    await new Promise((closed) => silent.close(closed));
  }
});
