import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName, until } from '@weir/testing';
import { marking, newTransformation } from './support/code.js';
import { delivered, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Fails only on events that the tests of a publish do not contain. */
const FRAGILE = `export function transformEvent(event) {
  if (event.event === 'Refunded') throw new Error('boom');
  event.fragile = true;
  return event;
}`;

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

async function track(source: Source, event: string): Promise<string> {
  const messageId = uniqueName('event');
  await sendEvent(source, 'track', { userId: 'ada', event, messageId });
  return messageId;
}

describe('a new version that fails on live events', () => {
  it('is replaced by the version before, and says why', async () => {
    const source = await newSource(own.writer);
    const destination = await newWebhook(own.writer, `${hook.url}/rolled-back`);
    await connect(own.writer, source, destination);
    const good = await newTransformation(own.writer, marking('good'), { destinationIds: [destination.id] });
    const path = `/transformations/${good.id}`;
    const arrivesWith = (key: string) =>
      until(
        `events with ${key}`,
        async () => key in (await delivered(hook, '/rolled-back', await track(source, 'Bought'))).json,
      );
    await arrivesWith('good');
    expectRefusal(await own.reader.put(`${path}/auto-rollback`, { errorRate: 0.005 }), 403);
    const setting = made(await own.writer.put(`${path}/auto-rollback`, { errorRate: 0.005 }));
    expect(setting).toEqual({ errorRate: 0.005, trials: [] });

    const bad = made(await own.writer.post(path, { code: FRAGILE }, { query: { publish: true } }));
    await arrivesWith('fragile');
    for (let n = 0; n < 5; n += 1) await track(source, 'Refunded');

    await arrivesWith('good');
    expect(made(await own.reader.get(path)).versionId).toBe(good.versionId);
    const { trials } = made(await own.reader.get(`${path}/auto-rollback`));
    const what = { errorRate: 0.005, events: expect.any(Number), errors: 5 };
    expect(trials).toMatchObject([{ ...what, versionId: bad.versionId, state: 'rolledBack' }]);
    const revision = made(await own.reader.get(`${path}/versions/${bad.versionId}`));
    expect(revision).toMatchObject({ isPublished: false, rolledBack: { ...what, to: good.versionId } });
  });
});
