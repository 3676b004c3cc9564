import { expect, it } from '@jest/globals';
import { type RecordingServer, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { BASE_SLOTS } from '../src/sending/adaptive-limit.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));

const ANSWER_MS = 100;
const USERS = 300;

/** A destination alone may hold 2 MiB of messages in memory. */
const largeEvent = (userId: string, round: number, bytes: number) =>
  trackEvent({ userId, properties: { round, text: 'x'.repeat(bytes) } });

/** Sends one event of each user in turn, and follows how many requests are under way at the destination. */
async function deliverAll(
  rounds: number,
  env: Record<string, string> = {},
): Promise<{ atOnce: number; sideBySide: string[] }> {
  const open = new Set<string>();
  const seen = { atOnce: 0, sideBySide: [] as string[] };
  server.answer(({ json }) => {
    const { userId } = json as { userId: string };
    if (open.has(userId)) seen.sideBySide.push(userId);
    open.add(userId);
    seen.atOnce = Math.max(seen.atOnce, open.size);
    setTimeout(() => open.delete(userId), ANSWER_MS); // begins before the server's own delay, so it ends before the answer
    return { delayMs: ANSWER_MS };
  });
  await scene.webhook(`${server.url}/hook`);
  await scene.startDeliverer(env);
  const users = Array.from({ length: USERS }, (_, n) => `user-${n}`);
  for (let round = 0; round < rounds; round += 1)
    await scene.accept(users.map((userId) => trackEvent({ userId, properties: { round } })));
  await until('every event', () => server.requests.length >= USERS * rounds);
  return seen;
}

const roundsOf = (user: string): number[] =>
  server.requests
    .map(({ json }) => json as { userId: string; properties: { round: number } })
    .filter(({ userId }) => userId === user)
    .map(({ properties }) => properties.round);

it('a destination that answers slowly but steadily gets more at a time, and each user still one after the other', async () => {
  const { atOnce, sideBySide } = await deliverAll(4);
  expect(atOnce).toBeGreaterThan(2 * BASE_SLOTS);
  expect(sideBySide).toEqual([]);
  for (const user of ['user-0', 'user-150', 'user-299']) expect(roundsOf(user)).toEqual([0, 1, 2, 3]);
});

it('never more than the operator allows', async () => {
  const { atOnce } = await deliverAll(1, { DELIVERY_CONCURRENCY_MAX: '5' });
  expect(atOnce).toBeLessThanOrEqual(5);
  expect(server.requests).toHaveLength(USERS);
});

/** Delivers a backlog through code. Returns how often the code ran for an event. */
async function runsPerEvent({
  users,
  rounds,
  bytes,
}: {
  users: number;
  rounds: number;
  bytes: number;
}): Promise<number> {
  let runs = 0;
  const { id } = await scene.webhook(`${server.url}/hook`);
  scene.standIns.publish(scene.workspaceId, id, (message) => {
    runs += 1;
    return { status: 'ok', outputs: [message] };
  });
  for (let round = 0; round < rounds; round += 1)
    for (let from = 0; from < users; from += 10)
      await scene.accept(Array.from({ length: 10 }, (_, n) => largeEvent(`user-${from + n}`, round, bytes)));
  await scene.startDeliverer();
  await scene.drained();
  return runs / (users * rounds);
}

it('code runs about once for each event of a backlog that is larger than the memory for it', async () => {
  expect(await runsPerEvent({ users: 200, rounds: 20, bytes: 5_000 })).toBeLessThan(1.5);
  expect(new Set(server.requests.map(({ json }) => JSON.stringify(json))).size).toBe(4_000);
});

it('code runs twice at most for an event that has to wait behind many of its user', async () => {
  expect(await runsPerEvent({ users: 10, rounds: 200, bytes: 5_000 })).toBeLessThan(2.5);
});
