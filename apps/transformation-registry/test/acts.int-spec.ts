import { expect, it } from '@jest/globals';
import {
  AppendAudit,
  CreateTransformation,
  PublishRelease,
  type RequestOf,
  RollbackTransformation,
  UpdateTransformation,
} from '@weir/contracts';
import { until } from '@weir/testing';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { send, nats } = useRegistry();

it('publishes and rollbacks are told to the audit trail once they are live, and refused ones are not', async () => {
  const acts: RequestOf<typeof AppendAudit>[] = [];
  nats.connection.subscribe(AppendAudit.subject, {
    callback: (_error, message) => {
      acts.push(AppendAudit.request.parse(message.json<{ data: unknown }>().data));
      message.respond(JSON.stringify({ response: {}, isDisposed: true }));
    },
  });
  const who = newWorkspace();
  const first = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
  const one = { ...who, id: first.id };
  await refusal(send(UpdateTransformation, { ...one, code: THROW, publish: true }));
  const draft = await send(UpdateTransformation, { ...one, description: 'new', publish: false });
  const items = { transformations: [{ versionId: draft.versionId }], libraries: [] };
  await send(PublishRelease, { ...who, items, commitId: 'abc' });
  await send(RollbackTransformation, { ...one, versionId: first.versionId });
  await until('three acts', async () => new Set(acts.map(({ actId }) => actId)).size === 3);

  const details = (versionId: string) => ({
    ...{ transformationIds: [first.id], transformationVersionIds: [versionId] },
    ...{ libraryIds: [], libraryVersionIds: [] },
  });
  const told = [...new Map(acts.map((act) => [act.actId, act])).values()];
  expect(told.map(({ action, actor, details }) => [action, actor, details])).toEqual([
    ['code.published', who.createdBy, details(first.versionId)],
    ['code.published', who.createdBy, { ...details(draft.versionId), commitId: 'abc' }],
    ['code.rolled_back', who.createdBy, details(first.versionId)],
  ]);
  expect(new Set(told.map(({ workspaceId }) => workspaceId))).toEqual(new Set([who.workspaceId]));
});
