import { expect, it } from '@jest/globals';
import { until } from '@weir/testing';
import { eventsAt, useHook } from './support/hook.js';
import { connect, enable, intakeOf, newSource, newWebhook } from './support/inventory.js';
import { counted } from './support/schemas.js';
import { made, newWorkspace } from './support/workspace.js';

const hook = useHook();
const USERS = 12;
const EVENTS = 48;
const PATH = '/spread';

/** One request with several events of each user, which carry their place in the whole. */
const requestOf = (first: number) => ({
  batch: Array.from({ length: EVENTS }, (_, n) => ({
    ...{ type: 'track', event: 'Bought', messageId: `${PATH}-${first + n}` },
    ...{ userId: `user-${n % USERS}`, properties: { n: first + n } },
  })),
});

/** Numbers that arrived, by user, in order. */
const arrived = () =>
  Object.fromEntries(
    [...Map.groupBy(eventsAt(hook, PATH), ({ userId }) => String(userId))].map(([user, events]) => [
      user,
      events.map(({ properties }) => Number((properties as { n: number }).n)),
    ]),
  );

it('a source that is spread delivers and counts each event once, in the order of its user, over a change of its number', async () => {
  const { writer } = await newWorkspace();
  const source = await newSource(writer, { partitions: 16 });
  const path = `/v2/sources/${source.id}`;
  await connect(writer, source, await newWebhook(writer, `${hook.url}${PATH}`));
  const requests = [0, 1, 2, 3].map((n) => requestOf(n * EVENTS));
  const send = async (some: typeof requests) => {
    for (const request of some) made(await intakeOf(source).post('/v1/batch', request));
    made(await intakeOf(source).post('/v1/batch', some.at(-1) ?? {})); // as a client that missed the answer
  };
  const untilArrived = (events: number) => until('every event', () => eventsAt(hook, PATH).length >= events);

  await send(requests.slice(0, 2));
  expect((await writer.put(path, { partitions: 3 })).status).toBe(409);
  await enable(writer, path, false);
  await untilArrived(2 * EVENTS);
  expect(made(await writer.put(path, { partitions: 3 })).source).toMatchObject({ partitions: 3, enabled: false });
  await enable(writer, path, true);
  await send(requests.slice(2));
  await untilArrived(4 * EVENTS);

  expect(await counted(source, 4 * EVENTS)).toHaveLength(1);
  const sent = Map.groupBy(
    requests.flatMap(({ batch }) => batch),
    ({ userId }) => userId,
  );
  const numbers = [...sent].map(([user, events]) => [user, events.map(({ properties }) => properties.n)]);
  expect(arrived()).toEqual(Object.fromEntries(numbers));
});
