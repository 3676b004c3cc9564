import { beforeAll, expect, it } from '@jest/globals';
import {
  AppendAudit,
  CreateTransformation,
  DeleteCredential,
  DeleteLink,
  DeleteTransformation,
  PublishRelease,
  PutCredential,
  PutLink,
  type RequestOf,
  RollbackTransformation,
  UpdateTransformation,
} from '@weir/contracts';
import { until } from '@weir/testing';
import { KEEP, newWorkspace, refusal, THROW, useRegistry } from './registry.js';

const { send, nats } = useRegistry();
const destinationId = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';

/** Keyed by id, because an act may be told twice. */
const acts = new Map<string, RequestOf<typeof AppendAudit>>();
beforeAll(() => {
  nats.connection.subscribe(AppendAudit.subject, {
    callback: (_error, message) => {
      const act = AppendAudit.request.parse(message.json<{ data: unknown }>().data);
      acts.set(act.actId, act);
      message.respond(JSON.stringify({ response: {}, isDisposed: true }));
    },
  });
});

const toldOf = (workspaceId: string, count: number) =>
  until(`${count} acts`, async () => {
    const told = [...acts.values()].filter((act) => act.workspaceId === workspaceId);
    return told.length >= count && told.map(({ action, actor, details }) => [action, actor, details]);
  });

it('publishes and rollbacks are told to the audit trail once they are live, and refused ones are not', async () => {
  const who = newWorkspace();
  const first = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
  const one = { ...who, id: first.id };
  await refusal(send(UpdateTransformation, { ...one, code: THROW, publish: true }));
  const draft = await send(UpdateTransformation, { ...one, description: 'new', publish: false });
  const items = { transformations: [{ versionId: draft.versionId }], libraries: [] };
  await send(PublishRelease, { ...who, items, commitId: 'abc' });
  await send(RollbackTransformation, { ...one, versionId: first.versionId });

  const details = (versionId: string) => ({
    ...{ transformationIds: [first.id], transformationVersionIds: [versionId] },
    ...{ libraryIds: [], libraryVersionIds: [] },
  });
  expect(await toldOf(who.workspaceId, 3)).toEqual([
    ['code.published', who.createdBy, details(first.versionId)],
    ['code.published', who.createdBy, { ...details(draft.versionId), commitId: 'abc' }],
    ['code.rolled_back', who.createdBy, details(first.versionId)],
  ]);
});

it('connections, credentials and deletions are told with who asked, and work that nobody asked for is not', async () => {
  const { workspaceId, createdBy: by } = newWorkspace();
  const credential = { createdBy: by, key: 'crm', isSecret: true, sealedValue: 'sealed' };
  await send(PutCredential, { workspaceId, ...credential });
  await send(DeleteCredential, { workspaceId, key: 'crm', by });
  const fields = { name: 'T', code: KEEP, publish: true, destinationIds: [destinationId] };
  const { id } = await send(CreateTransformation, { workspaceId, createdBy: by, ...fields });
  await send(PutLink, { workspaceId, destinationId, transformationId: id, by });
  await send(DeleteLink, { workspaceId, destinationId, by });
  await send(PutLink, { workspaceId, destinationId, transformationId: id });
  await send(DeleteTransformation, { workspaceId, id, by });

  const connection = { id, destinationIds: [destinationId] };
  const told = await toldOf(workspaceId, 7);
  expect(told.filter(([action]) => action !== 'code.published')).toEqual([
    ['credential.stored', by, { key: 'crm' }],
    ['credential.deleted', by, { key: 'crm' }],
    ['transformation.connected', by, { ...connection, disconnectsOthers: true }],
    ['transformation.connected', by, connection],
    ['transformation.disconnected', by, connection],
    ['transformation.deleted', by, { id, wasLive: true }],
  ]);
});
