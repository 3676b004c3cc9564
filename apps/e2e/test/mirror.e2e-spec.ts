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

/** Copies events of one plane to the other, and returns the id of the destination. */
async function mirror(from: Plane, to: Plane): Promise<string> {
  const config = { dataPlaneUrl: sharedStack().urls[0], writeKey: to.source.writeKey };
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
