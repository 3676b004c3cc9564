import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName, until, within } from '@weir/testing';
import { marking, newTransformation, THROW } from './support/code.js';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, enable, intakeOf, newSource, newWebhook, type Source, sendEvent } from './support/inventory.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Five times the two seconds in which an accepted event reaches a healthy webhook (architecture section 7). */
const DELIVERED_MS = 10_000;

/** Time in which an unwanted event would arrive. */
const NOTHING_COMES_MS = 700;

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const newPath = () => `/${uniqueName('path').replace(' ', '-')}`;

/** A source connected to a webhook at a path of its own. */
async function pipe(fields: Record<string, unknown> = {}) {
  const path = newPath();
  const source = await newSource(own.writer);
  const destination = await newWebhook(own.writer, `${hook.url}${path}`, fields);
  const connection = await connect(own.writer, source, destination);
  return { path, source, destination, connection };
}

async function track(source: Source, fields: object = {}): Promise<string> {
  const messageId = uniqueName('event');
  await sendEvent(source, 'track', { userId: 'ada', event: 'Bought', messageId, ...fields });
  return messageId;
}

const arrives = async (path: string, messageId: string) => (await delivered(hook, path, messageId)).json;
const pause = () => new Promise((resolve) => setTimeout(resolve, NOTHING_COMES_MS));

/** Sends one event, and returns whether any event of this test has arrived since. */
async function isReached(path: string, source: Source): Promise<boolean> {
  const before = eventsAt(hook, path).length;
  await track(source);
  await new Promise((resolve) => setTimeout(resolve, 100));
  return eventsAt(hook, path).length > before;
}

/** Waits until a switched-off connection delivers no more: a later event arrives elsewhere and not here. */
async function untilNothingComes(path: string, source: Source, elsewhere: string): Promise<void> {
  const isOff = async () => {
    const unseen = await track(source);
    await arrives(elsewhere, unseen);
    await pause();
    return !eventsAt(hook, path).some(({ messageId }) => messageId === unseen);
  };
  await until(`nothing to come to ${path}`, isOff);
}

/** Adds a second webhook to the source, which stays on, and returns its path. */
async function witness(source: Source): Promise<string> {
  const path = newPath();
  await connect(own.writer, source, await newWebhook(own.writer, `${hook.url}${path}`));
  await until('the second webhook', () => isReached(path, source));
  return path;
}

describe('an accepted event', () => {
  it('reaches its destinations in time', async () => {
    const { path, source } = await pipe();
    const send = async () => arrives(path, await track(source, { properties: { price: 5 } }));
    expect(await within(DELIVERED_MS, send)).toMatchObject({
      type: 'track',
      event: 'Bought',
      userId: 'ada',
      properties: { price: 5 },
    });
  });

  it('goes through the published transformation', async () => {
    const { path, source, destination } = await pipe();
    await newTransformation(own.writer, marking('seen'), { destinationIds: [destination.id] });
    await until('the transformation', async () => 'seen' in (await arrives(path, await track(source))));
    expect(await arrives(path, await track(source))).toHaveProperty('seen', true);
  });

  it('reaches every connected destination, each with its own transformation', async () => {
    const { path, source } = await pipe();
    const other = await newWebhook(own.writer, `${hook.url}${path}-b`);
    await newTransformation(own.writer, marking('other'), { destinationIds: [other.id] });
    await connect(own.writer, source, other);
    await until('the connection', async () => {
      const messageId = await track(source);
      await arrives(path, messageId);
      return eventsAt(hook, `${path}-b`).length > 0;
    });
    const messageId = await track(source);
    expect(await arrives(path, messageId)).not.toHaveProperty('other');
    expect(await arrives(`${path}-b`, messageId)).toHaveProperty('other', true);
  });

  it('arrives in order for one user', async () => {
    const { path, source } = await pipe();
    const batch = Array.from({ length: 60 }, (_, n) => ({
      type: 'track',
      event: 'e',
      userId: 'ada',
      properties: { n },
    }));
    await intakeOf(source).post('/v1/batch', { batch: batch.slice(0, 30) });
    await intakeOf(source).post('/v1/batch', { batch: batch.slice(30) });
    const events = await until('all of them', () => {
      const found = eventsAt(hook, path);
      return found.length >= batch.length && found;
    });
    expect(events.map((event) => (event['properties'] as { n: number }).n)).toEqual(
      batch.map(({ properties: { n } }) => n),
    );
  });

  it('that the transformation drops is not delivered, that it multiplies is delivered twice', async () => {
    const { path, source, destination } = await pipe();
    const code = `export function transformEvent(event) {
      if (event.event === 'Drop') return null;
      return event.event === 'Twice' ? [{ ...event, n: 1 }, { ...event, n: 2 }] : event;
    }`;
    await newTransformation(own.writer, code, { destinationIds: [destination.id] });
    await until('the transformation', async () => {
      await track(source, { event: 'Twice' });
      return eventsAt(hook, path).some(({ n }) => n === 2);
    });
    const dropped = await track(source, { event: 'Drop' });
    await arrives(path, await track(source));
    expect(eventsAt(hook, path).some(({ messageId }) => messageId === dropped)).toBe(false);
  });

  it('for which the transformation throws is not delivered, and the next ones are', async () => {
    const { path, source, destination } = await pipe();
    const code = `export function transformEvent(event) {
      if (event.event === 'Bad') throw new Error('boom');
      event.ran = true; return event;
    }`;
    await newTransformation(own.writer, code, { destinationIds: [destination.id] });
    await until('the transformation', async () => 'ran' in (await arrives(path, await track(source))));
    const bad = await track(source, { event: 'Bad' });
    await arrives(path, await track(source));
    expect(eventsAt(hook, path).some(({ messageId }) => messageId === bad)).toBe(false);
  });
});

describe('live within a second is', () => {
  it('a connection, its pause and its end', async () => {
    const { path, source, connection } = await pipe();
    const elsewhere = await witness(source);
    const connectionPath = `/v2/connections/${connection.id}`;
    await until('the connection', () => isReached(path, source));
    await enable(own.writer, connectionPath, false);
    await untilNothingComes(path, source, elsewhere);
    await enable(own.writer, connectionPath, true);
    await until('the connection again', () => isReached(path, source));
    await own.writer.delete(connectionPath);
    await untilNothingComes(path, source, elsewhere);
  });

  it('a destination that is disabled, and enabled again', async () => {
    const { path, source, destination } = await pipe();
    const destinationPath = `/v2/destinations/${destination.id}`;
    const elsewhere = await witness(source);
    await arrives(path, await track(source));
    await enable(own.writer, destinationPath, false);
    await untilNothingComes(path, source, elsewhere);
    await enable(own.writer, destinationPath, true);
    await until('the destination', () => isReached(path, source));
  });

  it('a publish, and the removal of the link', async () => {
    const { path, source, destination } = await pipe();
    const { id } = await newTransformation(own.writer, marking('first'), { destinationIds: [destination.id] });
    const hasKey = async (key: string) => key in (await arrives(path, await track(source)));
    await until('the first version', () => hasKey('first'));
    const { versionId } = made(await own.writer.post(`/transformations/${id}`, { code: marking('second') }));
    made(await own.writer.post('/transformations/libraries/publish', { transformations: [{ versionId }] }));
    await until('the second version', () => hasKey('second'));
    made(await own.writer.delete(`/v2/destinations/${destination.id}/transformation`));
    await until('the end of the link', async () => !(await hasKey('second')));
  });

  it('nothing that was refused: the version before stays', async () => {
    const { path, source, destination } = await pipe();
    const { id } = await newTransformation(own.writer, marking('kept'), { destinationIds: [destination.id] });
    await until('the transformation', async () => 'kept' in (await arrives(path, await track(source))));
    expect(
      (await own.writer.post(`/transformations/${id}`, { code: THROW }, { query: { publish: true } })).status,
    ).toBe(400);
    await new Promise((resolve) => setTimeout(resolve, NOTHING_COMES_MS));
    expect(await arrives(path, await track(source))).toHaveProperty('kept', true);
  });
});

describe('a destination that fails', () => {
  it('gets an event again, with the same idempotency key, until it takes it', async () => {
    const { path, source } = await pipe();
    let failures = 2;
    hook.answer((request) => (request.path === path && failures-- > 0 ? { status: 500 } : {}));
    const messageId = await track(source);
    const attempts = await until('the third attempt', () => {
      const found = hook.requests.filter((one) => one.path === path && one.body.includes(messageId));
      return found.length >= 3 && found;
    });
    await pause();
    expect(hook.requests.filter((one) => one.path === path)).toHaveLength(3);
    const keys = new Set(attempts.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toEqual(expect.any(String));
    hook.answer({});
  });

  it('loses nothing and delays no other while it is down', async () => {
    const { path, source } = await pipe();
    const other = await newWebhook(own.writer, `${hook.url}${path}-up`);
    await connect(own.writer, source, other);
    await until('both connections', async () => {
      const messageId = await track(source);
      await arrives(path, messageId);
      return eventsAt(hook, `${path}-up`).length > 0;
    });
    let down = true;
    hook.answer((request) => (request.path === path && down ? { status: 503 } : {}));
    const ids: string[] = [];
    for (let n = 0; n < 5; n++) {
      ids.push(await track(source, { userId: `user-${n}` }));
      await arrives(`${path}-up`, ids[n] as string); // while the other one is still down
    }
    down = false;
    const before = hook.requests.length;
    const recovered = (id: string) =>
      hook.requests.slice(before).some((one) => one.path === path && one.body.includes(id));
    await until('everything that waited', () => ids.every(recovered));
    hook.answer({});
  });

  it('with a refusal gets the event once', async () => {
    const { path, source } = await pipe();
    hook.answer((request) => (request.path === path ? { status: 400 } : {}));
    await track(source);
    await until('the refusal', () => hook.requests.some((one) => one.path === path));
    await pause();
    expect(hook.requests.filter((one) => one.path === path)).toHaveLength(1);
    hook.answer({});
  });
});
