import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteTransformation,
  GetAutoRollback,
  GetDestinationRelease,
  GetTransformation,
  GetTransformationVersion,
  ListRollbacks,
  ReportTrial,
  RevertTrial,
  RollbackTransformation,
  SetAutoRollback,
  TRIAL_EVENTS,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send, database } = useRegistry();

/** Passes the tests of a publish, and fails on events that only live traffic contains. */
const FRAGILE = `export function transformEvent(event) {
  if (event.properties?.rare) throw new Error("boom");
  return event;
}`;

/** A transformation whose second version is on trial. */
async function scene(
  { errorRate = 0.05, code = KEEP }: { errorRate?: number; code?: string } = {},
  who = newWorkspace(),
) {
  const destinationId = newKsuid();
  const create = { ...who, name: 'T', code, destinationIds: [destinationId], publish: true };
  const first = await send(CreateTransformation, create);
  const one = { ...who, id: first.id };
  await send(SetAutoRollback, { ...one, errorRate });
  const second = await send(UpdateTransformation, { ...one, code: FRAGILE, publish: true });
  const trial = { ...who, versionId: second.versionId };
  return {
    ...{ who, one, first, second, trial },
    report: (events: number, errors: number, deliverer = newKsuid()) =>
      send(ReportTrial, { ...trial, deliverer, events, errors }),
    release: async () => (await send(GetDestinationRelease, { ...who, destinationId })).release,
    live: async () => (await send(GetTransformation, one)).versionId,
    trials: async () => (await send(GetAutoRollback, one)).trials,
  };
}

describe('automatic rollback', () => {
  it('is off unless it is set, and then for versions that are published afterwards', async () => {
    const who = newWorkspace();
    const destinationId = newKsuid();
    const create = { ...who, name: 'T', code: KEEP, destinationIds: [destinationId], publish: true };
    const { id, versionId } = await send(CreateTransformation, create);
    expect(await send(GetAutoRollback, { ...who, id })).toEqual({ errorRate: null, trials: [] });
    expect(await send(SetAutoRollback, { ...who, id, errorRate: 0.1 })).toEqual({ errorRate: 0.1, trials: [] });
    const { release } = await send(GetDestinationRelease, { ...who, destinationId });
    expect(release).not.toHaveProperty('onTrial');
    const report = { ...who, versionId, deliverer: newKsuid(), events: 1, errors: 1 };
    expect((await refusal(send(ReportTrial, report))).code).toBe('not_found');
    const stranger = { ...newWorkspace(), id };
    expect((await refusal(send(GetAutoRollback, stranger))).code).toBe('not_found');
    expect((await refusal(send(SetAutoRollback, { ...stranger, errorRate: 1 }))).code).toBe('not_found');
  });

  it('publishes the earlier version again, once what all deliverers report is too much', async () => {
    const { one, first, second, trial, report, release, live, trials } = await scene();
    expect(await release()).toMatchObject({ versionId: second.versionId, onTrial: true });
    const deliverer = newKsuid();
    expect(await report(40, 30, deliverer)).toEqual({ state: 'running' });
    expect(await report(40, 30, deliverer)).toEqual({ state: 'running' });
    expect(await report(30, 19)).toEqual({ state: 'running' });
    expect(await send(RevertTrial, trial)).toEqual({ state: 'running' });
    expect(await report(60, 31, deliverer)).toEqual({ state: 'failed' });
    expect(await live()).toBe(second.versionId);

    expect(await send(RevertTrial, trial)).toEqual({ state: 'rolledBack' });
    expect(await live()).toBe(first.versionId);
    expect(await release()).toMatchObject({ versionId: first.versionId });
    expect(await release()).not.toHaveProperty('onTrial');
    const [entry, ...others] = await trials();
    const what = { errorRate: 0.05, events: 90, errors: 50 };
    expect(others).toEqual([]);
    expect(entry).toMatchObject({ ...what, state: 'rolledBack', previousVersionId: first.versionId });
    const revision = await send(GetTransformationVersion, { ...one, versionId: second.versionId });
    expect(revision).toMatchObject({
      isPublished: false,
      rolledBack: { ...what, to: first.versionId, at: entry?.endedAt },
    });
  });

  it('judges neither what it has restored nor what a person publishes again', async () => {
    const { one, first, second, trial, report, release, trials } = await scene();
    await report(100, 100);
    await send(RevertTrial, trial);
    await send(RollbackTransformation, { ...one, versionId: second.versionId });
    expect(await release()).toMatchObject({ versionId: second.versionId });
    expect(await release()).not.toHaveProperty('onTrial');
    expect(await report(100, 100)).toEqual({ state: 'rolledBack' });
    expect(await send(RevertTrial, trial)).toEqual({ state: 'rolledBack' });
    expect(await release()).toMatchObject({ versionId: second.versionId });
    expect((await trials()).map(({ versionId }) => versionId)).not.toContain(first.versionId);
  });

  it('leaves a version alone that did well enough, whatever comes later', async () => {
    const { second, trial, report, release, live } = await scene();
    expect(await report(TRIAL_EVENTS - 1, 49)).toEqual({ state: 'running' });
    expect(await report(1, 0)).toEqual({ state: 'passed' });
    expect(await release()).not.toHaveProperty('onTrial');
    expect(await report(TRIAL_EVENTS, TRIAL_EVENTS)).toEqual({ state: 'passed' });
    expect(await send(RevertTrial, trial)).toEqual({ state: 'passed' });
    expect(await live()).toBe(second.versionId);
  });

  it('happens once, however many deliverers see it', async () => {
    const { first, trial, report, live, trials } = await scene();
    const states = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { state } = await report(100, 10);
        return state === 'failed' ? (await send(RevertTrial, trial)).state : state;
      }),
    );
    expect(states.filter((state) => state === 'running')).toHaveLength(4);
    expect(new Set(states)).toEqual(new Set(['running', 'rolledBack']));
    expect(await live()).toBe(first.versionId);
    expect(await trials()).toMatchObject([{ events: 500, errors: 50 }]);
    const sql = `SELECT count(*)::int AS published FROM publications WHERE version_id = $1 AND published_by = 'automatic rollback'`;
    expect(await database.dataSource.query(sql, [first.versionId])).toEqual([{ published: 1 }]);
  });

  it('gives way to a publish of a person at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { one, trial, report, live, trials } = await scene();
      await report(50, 50);
      const publish = send(UpdateTransformation, { ...one, description: 'repaired', publish: true });
      const reverts = Array.from({ length: 4 }, () => send(RevertTrial, trial));
      const [third, ...answers] = await Promise.all([publish, ...reverts]);
      expect(await live()).toBe(third.versionId);
      const [newest, judged] = await trials();
      expect(newest).toMatchObject({ versionId: third.versionId, state: 'running' });
      expect(answers.map(({ state }) => state)).toEqual(answers.map(() => judged?.state));
    }
  });
});

describe('a version that failed is kept, with the reason', () => {
  it('when there is no earlier one', async () => {
    const who = newWorkspace();
    const draft = await send(CreateTransformation, { ...who, name: 'T', code: FRAGILE, publish: false });
    const one = { ...who, id: draft.id };
    await send(SetAutoRollback, { ...one, errorRate: 0.01 });
    const { versionId } = await send(UpdateTransformation, { ...one, publish: true });
    await send(ReportTrial, { ...who, versionId, deliverer: newKsuid(), events: 10, errors: 10 });
    expect(await send(RevertTrial, { ...who, versionId })).toEqual({ state: 'kept' });
    const { trials } = await send(GetAutoRollback, one);
    expect(trials).toMatchObject([{ versionId, state: 'kept', reason: 'There is no earlier version', errors: 10 }]);
    expect(trials[0]).not.toHaveProperty('previousVersionId');
    expect(await send(GetTransformation, one)).toMatchObject({ versionId });
  });

  it('when the earlier one does not fit what is live now', async () => {
    const who = newWorkspace();
    const lib = await send(CreateLibrary, { ...who, name: 'tools', code: 'export const a = 1;', publish: true });
    const code = 'import { a } from "tools"; export const transformEvent = (event) => ({ ...event, a });';
    const { second, trial, report, release, live, trials } = await scene({ code }, who);
    await send(UpdateLibrary, { ...who, id: lib.id, code: 'export const b = 1;', publish: true });
    await report(50, 50);
    expect(await send(RevertTrial, trial)).toEqual({ state: 'kept' });
    expect(await trials()).toMatchObject([
      { state: 'kept', reason: expect.stringMatching(/no longer passes the tests: ./) },
    ]);
    expect(await live()).toBe(second.versionId);
    expect(await release()).not.toHaveProperty('onTrial');
  });
});

describe('a trial is stopped', () => {
  it.each(['running', 'failed'])('by a deletion, when it is %s', async (state) => {
    const { one, trial, report, release, second } = await scene();
    await report(50, state === 'failed' ? 50 : 0);
    await send(DeleteTransformation, one);
    expect(await report(50, 50)).toEqual({ state: 'stopped' });
    expect(await send(RevertTrial, trial)).toEqual({ state: 'stopped' });
    expect(await release()).toBeNull();
    await send(RollbackTransformation, { ...one, versionId: second.versionId }).catch(() => undefined);
    expect(await report(50, 50)).toEqual({ state: 'stopped' });
  });

  it('by turning it off, at once', async () => {
    const { one, trial, report, release, live, second } = await scene();
    await report(50, 50);
    const { errorRate, trials } = await send(SetAutoRollback, { ...one, errorRate: null });
    expect(errorRate).toBeNull();
    expect(trials).toMatchObject([{ state: 'stopped', reason: 'Automatic rollback was turned off' }]);
    expect(await release()).not.toHaveProperty('onTrial');
    expect(await send(RevertTrial, trial)).toEqual({ state: 'stopped' });
    expect(await live()).toBe(second.versionId);
  });
});

describe('rollbacks for whoever tells people', () => {
  it('are those of the last day, the latest of each transformation', async () => {
    const { who, first } = await scene();
    const other = newWorkspace();
    const workspaceIds = [who.workspaceId, other.workspaceId];
    expect(await send(ListRollbacks, { workspaceIds })).toEqual({ rollbacks: [] });
    const end = (hours: number) =>
      database.dataSource.query(
        `UPDATE version_trials SET state = 'rolledBack', ended_at = now() - $2 * interval '1 hour' WHERE workspace_id = $1`,
        [who.workspaceId, hours],
      );
    await end(1);
    const { rollbacks } = await send(ListRollbacks, { workspaceIds });
    expect(rollbacks).toMatchObject([{ workspaceId: who.workspaceId, transformationId: first.id, name: 'T' }]);
    expect(await send(ListRollbacks, { workspaceIds: [other.workspaceId] })).toEqual({ rollbacks: [] });
    await end(25);
    expect(await send(ListRollbacks, { workspaceIds })).toEqual({ rollbacks: [] });
  });
});
