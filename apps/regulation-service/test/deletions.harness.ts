import { afterAll, afterEach, beforeAll, beforeEach } from '@jest/globals';
import { type Call, type JsonObject, PurgeDeliveryUsers, PurgeRunnerUsers, PurgeSchemaUsers } from '@weir/contracts';
import { type RecordingServer, recordingServer, until, type useDatabase, type useNats } from '@weir/testing';
import { addDestination, answerPurges, startEraser } from './eraser.fixtures.js';
import { type Workspace, workspaceOf } from './fixtures.js';

const ENDED = ['complete', 'partial', 'aborted', 'not_supported', 'canceled'];

type Eraser = Awaited<ReturnType<typeof startEraser>>;
type Options = Parameters<typeof startEraser>[2];

/** Runs deletions from request to end: erasers that stop after each test, a receiver, and services that purge. */
export function useDeletions(db: ReturnType<typeof useDatabase>, nats: ReturnType<typeof useNats>) {
  let server: RecordingServer;
  let purges: ReturnType<typeof answerPurges>;
  let erasers: Eraser[] = [];
  beforeAll(async () => {
    server = await recordingServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.clear();
    server.answer({});
    purges = answerPurges(nats.connection);
  });
  const stop = async () => {
    await Promise.all(erasers.map((eraser) => eraser.stop()));
    erasers = [];
  };
  afterEach(async () => {
    await stop();
    purges.stop();
  });

  const requestDeletion = (own: Workspace, destinations: { id: string; type: string }[], users = [{ userId: 'ada' }]) =>
    own.create({ regulationType: 'suppress_with_delete', destinations, users });
  const deletionOf = async (own: Workspace, id: string) => withoutTimes((await own.get(id)).deletion);
  return {
    server: () => server,
    purges: () => purges,
    /** Answers only these calls from now on. */
    answerPurges: (...calls: Call[]) => {
      purges.stop();
      purges = answerPurges(
        nats.connection,
        calls.length > 0 ? calls : [PurgeSchemaUsers, PurgeRunnerUsers, PurgeDeliveryUsers],
      );
    },
    /** Purges continue until `isDone` returns true. It receives how often this service was called, and for whom. */
    answerPurgesUntil: (isDone: Parameters<typeof answerPurges>[2]) => {
      purges.stop();
      purges = answerPurges(nats.connection, [PurgeSchemaUsers, PurgeRunnerUsers, PurgeDeliveryUsers], isDone);
    },
    start: async (options?: Options) => void erasers.push(await startEraser(nats.connection, db.dataSource, options)),
    stop,
    workspace: () => workspaceOf(db.dataSource),
    hook: (own: Workspace, config: JsonObject = { deletionUrl: `${server.url}/forget` }, type?: string) =>
      addDestination(nats.connection, own.workspaceId, config, type),
    requestDeletion,
    requestOne: async (...args: Parameters<typeof requestDeletion>) => (await requestDeletion(...args))[0] ?? '',
    deletionOf,
    ended: (own: Workspace, id: string) =>
      until('the end of the deletion', async () => {
        const deletion = await deletionOf(own, id);
        return deletion && ENDED.includes(deletion.status) ? deletion : undefined;
      }),
  };
}

type Deletion = Awaited<ReturnType<Workspace['get']>>['deletion'];

/** Tests check times where they matter. */
const withoutTimes = (deletion: Deletion): Deletion =>
  deletion && {
    ...deletion,
    destinations: deletion.destinations.map(({ endedAt, forwardedAt, nextAt, ...task }) => task),
  };
