import { beforeEach, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { trackEvent, until, useDatabase, waitingForLocks } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { ReplayRepository } from '../src/replays/replay.repository.js';
import { ReplayRequests } from '../src/replays/replay-requests.js';
import { lettersIn } from './letters.js';

const database = useDatabase('delivery', migrations);
let ids: { workspaceId: string; destinationId: string; sourceId: string };

beforeEach(async () => {
  ids = { workspaceId: newKsuid(), destinationId: newKsuid(), sourceId: newKsuid() };
  const failure = { stage: 'queue', reason: 'full', attempts: 0 } as const;
  const [event, receivedAt] = [trackEvent({ userId: 'u1' }), new Date().toISOString()];
  await lettersIn(database.dataSource).add([{ ...ids, ...failure, eventKey: 'e1', event, receivedAt }]);
});

const requests = () => new ReplayRequests(new ReplayRepository(database.dataSource));
const marked = async () => {
  const sql = 'SELECT count(replay_at)::int AS letters FROM dead_letters WHERE destination_id = $1';
  return (await database.dataSource.query<{ letters: number }[]>(sql, [ids.destinationId]))[0]?.letters;
};
/** Holds the letter, so that marking takes as long as `work`. */
const whileHeld = <T>(work: () => Promise<T>): Promise<T> =>
  database.dataSource.transaction(async (sql) => {
    await sql.run('SELECT FROM dead_letters WHERE destination_id = $1 FOR UPDATE', [ids.destinationId]);
    return work();
  });

it('a replay is answered before all of it is marked, if that takes long', async () => {
  const { workspaceId, destinationId } = ids;
  const plan = await whileHeld(async () => {
    const answer = await requests().request(workspaceId, { destinationId });
    expect(await marked()).toBe(0);
    return answer;
  });
  expect(plan).toMatchObject({ deliveries: 1, destinations: [{ destinationId, deliveries: 1 }] });
  await until('the mark', async () => (await marked()) === 1);
});

it('a process that ends waits for the piece that it marks', async () => {
  const { workspaceId, destinationId } = ids;
  const taken = requests();
  const { answer, ended } = await whileHeld(async () => {
    const running = taken.request(workspaceId, { destinationId });
    await until('the piece to wait', async () => (await waitingForLocks(database.dataSource)) > 0);
    return { answer: running.catch((error: unknown) => error), ended: taken.onModuleDestroy() };
  });
  await ended;
  expect(await marked()).toBe(1);
  expect(await answer).toMatchObject({ code: 'unavailable' });
});
