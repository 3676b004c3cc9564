import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import type { DeletionOutcome } from '@weir/destinations';
import type { EgressByOwner, EgressRequest } from '@weir/egress';
import type { InventoryMirror } from '@weir/inventory';
import { destinationAad, Sealer } from '@weir/service-kit';
import type { DeletionTask } from './deletion-work.js';
import { DestinationDeletion } from './destination-deletion.js';

const UNENDING = new AbortController().signal;
const sealer = new Sealer(randomBytes(32).toString('base64'));

/** A destination of the kind. `answer` returns the vendor's status for the users of a call. */
function deletionAt(type: string, config: JsonObject, answer: (userIds: string[]) => number) {
  const ids = { workspaceId: 'w1', id: 'd1' };
  const destination = { ...ids, type, sealedConfig: sealer.seal(config, destinationAad(ids)) };
  const inventory: Pick<InventoryMirror, 'catchUp' | 'destination'> = {
    catchUp: async () => undefined,
    destination: (id) => (id === 'd1' ? { ...destination, name: 'D', enabled: true, revision: 1 } : undefined),
  };
  const calls: string[][] = [];
  const request = async ({ body }: EgressRequest) => {
    const { external_ids: userIds = [] } = JSON.parse(String(body ?? '{}')) as { external_ids?: string[] };
    calls.push(userIds);
    return { status: answer(userIds), headers: {}, body: Buffer.alloc(0), truncated: false };
  };
  const egress = { of: () => ({ request }) } as unknown as EgressByOwner;
  return { calls, work: new DestinationDeletion(inventory as InventoryMirror, sealer, egress) };
}

const tasksOf = (count: number): DeletionTask[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${index}`,
    workspaceId: 'w1',
    regulationId: `r${index}`,
    destinationId: 'd1',
    attempts: 1,
    ageMs: 0,
    userKey: Buffer.alloc(0),
    user: { userId: `u${index}` },
    progress: undefined,
    ...{ jobReference: null, checks: 0, forwardedForMs: 0 },
  }));

/** Runs the work and returns the outcome of each task, in the order of the tasks. */
async function outcomesOf(work: DestinationDeletion, tasks: DeletionTask[]): Promise<DeletionOutcome[]> {
  const told = new Map<string, DeletionOutcome>();
  await work.run(
    tasks,
    {
      tell: async (some, outcome) => {
        for (const { id } of some) told.set(id, outcome);
      },
      keep: async () => undefined,
    },
    UNENDING,
  );
  return tasks.flatMap(({ id }) => told.get(id) ?? []);
}
const braze = { restApiKey: 'k', dataCenter: 'US-01' };

describe('users of one destination', () => {
  it('are claimed in the number that its kind takes, or a few calls at a time', () => {
    expect(deletionAt('BRAZE', braze, () => 200).work.batchMax('d1')).toBe(50);
    expect(deletionAt('WEBHOOK', {}, () => 200).work.batchMax('d1')).toBe(4);
    expect(deletionAt('WEBHOOK', {}, () => 200).work.batchMax('gone')).toBe(4);
  });

  it('share calls, also when more were claimed than one takes', async () => {
    const { work, calls } = deletionAt('BRAZE', braze, () => 201);
    const outcomes = await outcomesOf(work, tasksOf(60));
    expect(calls.map(({ length }) => length)).toEqual([50, 10]);
    expect(outcomes).toEqual(Array.from({ length: 60 }, () => ({ status: 'complete' })));
  });

  it('are tried alone when the vendor refuses them together, so that one spoils nothing for the rest', async () => {
    const { work, calls } = deletionAt('BRAZE', braze, (userIds) => (userIds.includes('u1') ? 400 : 201));
    const outcomes = await outcomesOf(work, tasksOf(3));
    expect(calls).toEqual([['u0', 'u1', 'u2'], ['u0'], ['u1'], ['u2']]);
    expect(outcomes.map(({ status }) => status)).toEqual(['complete', 'aborted', 'complete']);
  });

  it('wait together when the vendor is away', async () => {
    const { work, calls } = deletionAt('BRAZE', braze, () => 503);
    expect((await outcomesOf(work, tasksOf(3))).map(({ status }) => status)).toEqual(['failed', 'failed', 'failed']);
    expect(calls).toHaveLength(1);
  });

  it('wait for another configuration when this one cannot delete', async () => {
    const { work } = deletionAt('BRAZE', { dataCenter: 'US-01' }, () => 200);
    expect(await outcomesOf(work, tasksOf(1))).toEqual([{ status: 'failed', reason: 'deletion needs restApiKey' }]);
  });

  it('are told one by one, so that a kill costs only what was under way', async () => {
    const { work, calls } = deletionAt('BRAZE', braze, (userIds) => (userIds.length > 1 ? 400 : 201));
    const told: number[] = [];
    await work.run(
      tasksOf(3),
      { tell: async () => void told.push(calls.length), keep: async () => undefined },
      UNENDING,
    );
    expect(told).toEqual([2, 3, 4]);
  });

  it('that came to different points of a scan are scanned for one after the other', async () => {
    const { work, calls } = deletionAt('BRAZE', braze, () => 201);
    const tasks = tasksOf(3).map((task, index) => ({ ...task, progress: index === 1 ? 'half' : undefined }));
    await outcomesOf(work, tasks);
    expect(calls).toEqual([['u0', 'u2'], ['u1']]);
  });
});
