import { describe, expect, it } from '@jest/globals';
import { AppError, type DeletionView } from '@weir/contracts';
import {
  type DeletionOutcome,
  type DeletionRequest,
  type DeletionStatusRequest,
  type DestinationKind,
  destinationKind,
  type KindDeletion,
} from '@weir/destinations';
import { until, useDatabase, useNats } from '@weir/testing';
import { readTrail } from '../src/audit/audit.repository.js';
import { SCHEMA } from '../src/schema.js';
import { useDeletions } from './deletions.harness.js';
import { putDestination } from './eraser.fixtures.js';
import type { Workspace } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const { start, stop, workspace, hook, requestDeletion, requestOne, ended } = useDeletions(db, nats);

const slack = destinationKind('SLACK') as DestinationKind;
/** A kind that deletes as the test says. */
const kindOf = (deletion: KindDeletion): DestinationKind => ({ ...slack, deletion });
const first = async (own: Workspace, id: string) => (await own.get(id)).deletion?.destinations[0];
const untilFirst = (own: Workspace, id: string, wanted: (task: DeletionView) => boolean) =>
  until('the task to get so far', async () => {
    const task = await first(own, id);
    return task && wanted(task) ? task : undefined;
  });
/** Makes waiting tasks due, all at one moment. */
const letTimePass = (...ids: string[]) =>
  db.dataSource.query(
    `UPDATE deletion_tasks SET due_at = now()
     WHERE regulation_id = ANY($1::uuid[]) AND status IN ('failed', 'forwarded') AND due_at IS NOT NULL`,
    [ids],
  );
/** Moves retries far ahead, so that only something other than time can trigger them. */
const farOff = (id: string) =>
  db.dataSource.query(
    `UPDATE deletion_tasks SET due_at = now() + interval '1 day' WHERE regulation_id = $1 AND status = 'failed'`,
    [id],
  );

describe('a deletion that its destination’s configuration keeps from being done', () => {
  const picky = kindOf({
    delete: async ({ config }: DeletionRequest): Promise<DeletionOutcome> => {
      if (config['apiKey'] === undefined) throw new AppError('invalid', 'deletion needs apiKey');
      if (config['apiKey'] === 'old') return { status: 'failed', reason: 'the vendor refused the credentials (401)' };
      return { status: 'complete' };
    },
  });
  const kinds = { PICKY: picky };
  const blocked = async (own: Workspace, config: { apiKey?: string }) => {
    const destination = await hook(own, config, 'PICKY');
    const id = await requestOne(own, [destination]);
    await start({ kinds });
    const { reason } = await untilFirst(own, id, ({ status }) => status === 'failed');
    return { destination, id, reason };
  };

  it.each([
    [{}, 'deletion needs apiKey'],
    [{ apiKey: 'old' }, 'the vendor refused the credentials (401)'],
  ])('%j says so, and goes on as soon as it is mended', async (config, expected) => {
    const own = workspace();
    const { destination, id, reason } = await blocked(own, config);
    expect(reason).toBe(expected);
    await farOff(id);
    await putDestination(nats.connection, destination, { apiKey: 'new' }, 'PICKY');
    expect((await ended(own, id)).status).toBe('complete');
  });

  it('goes on when it was mended while no eraser ran, and not for a start alone', async () => {
    const own = workspace();
    const { destination, id } = await blocked(own, {});
    await stop();
    await farOff(id);
    const { attempts } = (await first(own, id)) ?? {};
    await start({ kinds });
    const [next = ''] = await own.create({ regulationType: 'suppress_with_delete' });
    await ended(own, next);
    expect(await first(own, id)).toMatchObject({ status: 'failed', attempts });
    await stop();
    await putDestination(nats.connection, destination, { apiKey: 'new' }, 'PICKY');
    await start({ kinds });
    expect((await ended(own, id)).status).toBe('complete');
  });
});

describe('a deletion that the vendor carries out later', () => {
  it('is asked for with one question for all users of a call, until the vendor says that it is done', async () => {
    const own = workspace();
    const answers: DeletionOutcome[] = [
      { status: 'forwarded' },
      { status: 'failed', reason: 'the vendor answered 503' },
      { status: 'complete' },
    ];
    const asked: DeletionStatusRequest[] = [];
    const job = kindOf({
      usersMax: 10,
      delete: async () => ({ status: 'forwarded', jobReference: 'job-7' }),
      status: async (request) => answers[asked.push(request) - 1] ?? { status: 'aborted', reason: 'too many' },
    });
    const destination = await hook(own, { region: 'eu' }, 'JOB');
    const [id = '', other = ''] = await requestDeletion(own, [destination], [{ userId: 'ada' }, { userId: 'bob' }]);
    await start({ kinds: { JOB: job } });
    const isForwarded = async (which: string) => (await own.get(which)).deletion?.status === 'forwarded';
    await until('both to be the vendor’s', async () => (await isForwarded(id)) && isForwarded(other));
    expect((await own.get(id)).deletion).toMatchObject({
      status: 'forwarded',
      destinations: [{ forwardedAt: expect.any(String), nextAt: expect.any(String), attempts: 1 }, {}, {}],
    });
    for (const checks of [1, 2, 3]) {
      await letTimePass(id, other);
      const answered = (task: DeletionView) => task.checks === checks && (task.nextAt ?? task.endedAt) !== undefined;
      const task = await untilFirst(own, id, answered);
      expect([task.attempts, task.reason]).toEqual([1, checks === 2 ? 'the vendor answered 503' : undefined]);
      await untilFirst(own, other, answered);
    }
    expect((await ended(own, id)).status).toBe('complete');
    expect((await ended(own, other)).status).toBe('complete');
    expect(asked).toEqual(Array(3).fill({ config: { region: 'eu' }, jobReference: 'job-7' }));
    const trail = await readTrail(db.dataSource, own.workspaceId);
    const actions = trail.filter(
      (entry) => entry.details['destinationId'] === destination.id && entry.regulationId === id,
    );
    expect(actions.map(({ action }) => action)).toEqual(['deletion.forwarded', 'deletion.ended']);
  });

  it('stays forwarded, with a reason, where nobody can be asked', async () => {
    const own = workspace();
    const id = await requestOne(own, [await hook(own, {}, 'JOB')]);
    await start({ kinds: { JOB: kindOf({ delete: async () => ({ status: 'forwarded', jobReference: 'job-7' }) }) } });
    await untilFirst(own, id, ({ status }) => status === 'forwarded');
    await letTimePass(id);
    const task = await untilFirst(own, id, ({ checks, reason }) => checks === 1 && reason !== undefined);
    expect(task).toMatchObject({ status: 'forwarded', reason: 'its outcome can no longer be requested' });
  });
});

describe('a deletion whose result cannot be written at first', () => {
  it('is not made again: what is known stays known', async () => {
    const own = workspace();
    let calls = 0;
    const counting = kindOf({
      delete: async () => {
        calls += 1;
        return { status: 'complete' };
      },
    });
    const destination = await hook(own, {}, 'COUNTING');
    const id = await requestOne(own, [destination]);
    // A sequence is not rolled back, so the trigger refuses only once.
    await db.dataSource.query(`
      CREATE SEQUENCE refusals;
      CREATE FUNCTION refuse_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF NEW.details ->> 'destinationId' = '${destination.id}' AND nextval('refusals') = 1 THEN RAISE 'not now'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER refuse_once BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION refuse_once()`);
    await start({ kinds: { COUNTING: counting } });
    expect((await ended(own, id)).destinations[0]).toMatchObject({ status: 'complete', attempts: 1 });
    const [{ refused }] = await db.dataSource.query(`SELECT last_value > 1 AS refused FROM refusals`);
    expect([calls, refused]).toEqual([1, true]);
  });
});

describe('a deletion that takes long', () => {
  it('goes on where an attempt before came to; what is kept of that is sealed, and gone at the end', async () => {
    const own = workspace();
    const reached: (string | undefined)[] = [];
    const scan = kindOf({
      usersMax: 10,
      delete: async ({ progress }) => {
        reached.push(progress?.reached);
        await progress?.keep(`page-${reached.length}`);
        return reached.length < 3 ? { status: 'failed', reason: 'the store is away' } : { status: 'complete' };
      },
    });
    const id = await requestOne(own, [await hook(own, {}, 'SCAN')]);
    const kept = async () =>
      (await db.dataSource.query('SELECT progress FROM deletion_tasks WHERE regulation_id = $1 ORDER BY id', [id]))[0];
    await start({ kinds: { SCAN: scan } });
    await untilFirst(own, id, ({ status }) => status === 'failed');
    const { progress } = await kept();
    expect(progress).toEqual(expect.any(String));
    expect(progress).not.toContain('page');
    await ended(own, id);
    expect(reached).toEqual([undefined, 'page-1', 'page-2']);
    expect(await kept()).toEqual({ progress: null });
  });
});

describe('a cancel', () => {
  const cancelAfter = async (outcome: DeletionOutcome, wanted: string) => {
    const own = workspace();
    const outcomes = [outcome];
    const kind = kindOf({ delete: async () => outcomes.shift() ?? { status: 'complete' } });
    const id = await requestOne(own, [await hook(own, {}, 'TOLD')]);
    await start({ kinds: { TOLD: kind } });
    await untilFirst(own, id, ({ status }) => status === wanted);
    await farOff(id);
    await own.cancel(id);
    return { own, id };
  };

  it('after the end changes nothing of it: nothing is restored', async () => {
    const { own, id } = await cancelAfter({ status: 'complete' }, 'complete');
    expect(await own.get(id)).toMatchObject({
      canceled: true,
      deletion: { destinations: [{ status: 'complete' }, {}, {}] },
    });
  });

  it('leaves to the vendor what the vendor has taken', async () => {
    const { own, id } = await cancelAfter({ status: 'forwarded' }, 'forwarded');
    expect((await first(own, id))?.status).toBe('forwarded');
  });

  it('between two attempts lets it finish, because it has begun', async () => {
    const { own, id } = await cancelAfter({ status: 'failed', reason: 'away' }, 'failed');
    await letTimePass(id);
    expect((await ended(own, id)).destinations[0]).toMatchObject({ status: 'complete', attempts: 2 });
  });
});
