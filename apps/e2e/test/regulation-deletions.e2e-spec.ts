import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, until } from '@weir/testing';
import { useHook } from './support/hook.js';
import { type Destination, newSourceTo, newWebhook, type Source } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { arriving, detailsOf, person, type Regulation, regulate } from './support/regulations.js';
import { made, newWorkspace, nobody, UNKNOWN_UUID, type Workspace } from './support/workspace.js';

const hook = useHook();
let own: Workspace;
let source: Source;
beforeAll(async () => {
  own = await newWorkspace();
  source = await newSourceTo(own.writer, `${hook.url}/hook`);
});

describe('suppress_with_delete', () => {
  interface Erasure {
    userId: string;
    regulation: Regulation;
    destination: Destination;
  }
  const withDeletion = (path: string, client = own.writer): Promise<Destination> =>
    newWebhook(client, `${hook.url}/in`, { config: { deletionUrl: `${hook.url}${path}` } });

  async function erase(path: string, userId = person()): Promise<Erasure> {
    const destination = await withDeletion(path);
    const users = [{ userId, email: 'e@example.com' }];
    const [regulation] = await regulate(own.writer, {
      regulationType: 'suppress_with_delete',
      users,
      destinationIds: [destination.id],
    });
    return { userId, destination, regulation: regulation as Regulation };
  }

  /** Status of the deletion at each destination, once it satisfies `wanted`. */
  const statuses = (client: Api, { id }: Regulation, wanted: (status: Record<string, string>) => boolean) =>
    until('the deletion to get so far', async () => {
      const { destinations } = made(await client.get(`/v2/regulations/${id}`)).deletion;
      const status = Object.fromEntries(
        destinations.map((one: { destinationId: string; status: string }) => [one.destinationId, one.status]),
      );
      return wanted(status) && status;
    });

  // All deletions begin together, because each waits for a send deadline of 13 seconds first.
  let listed: Erasure;
  let single: Erasure;
  let everywhere: { tenant: Workspace; regulation: Regulation; destination: Destination; plain: Destination };
  beforeAll(async () => {
    listed = await erase('/forget');
    single = await erase('/users/{userId}', `${person()}/ü?`);
    const tenant = await newWorkspace();
    const destination = await withDeletion('/forget-all', tenant.writer);
    const plain = await newWebhook(tenant.writer, `${hook.url}/in`);
    const body = { regulationType: 'suppress_with_delete', users: [{ userId: person() }] };
    const [regulation] = await regulate(tenant.writer, body);
    everywhere = { tenant, destination, plain, regulation: regulation as Regulation };
  });

  it('suppresses as well', async () => {
    expect(await arriving(hook, source, { events: [{ userId: listed.userId }], expected: 0 })).toEqual([]);
  });

  it('that is cancelled before it starts deletes nothing', async () => {
    const { regulation, userId } = await erase('/never');
    expect((await own.writer.delete(`/v2/regulations/${regulation.id}`)).status).toBe(204);
    const { canceled, deletion } = await detailsOf(own.reader, regulation);
    expect([canceled, deletion.status]).toEqual([true, 'canceled']);
    expect(hook.requests.some(({ path, body }) => path === '/never' && body.includes(userId))).toBe(false);
  });

  it('deletes at the given destinations', async () => {
    const { regulation, userId, destination } = listed;
    await statuses(own.reader, regulation, (status) => status[destination.id] === 'complete');
    const sent = hook.requests.filter(({ path, body }) => path === '/forget' && body.includes(userId));
    expect(sent.map(({ method, json }) => ({ method, json }))).toEqual([
      {
        method: 'POST',
        json: {
          regulationId: regulation.id,
          destinationId: destination.id,
          users: [{ userId, email: 'e@example.com' }],
        },
      },
    ]);
    const { deletion } = await detailsOf(own.reader, regulation);
    const { id: destinationId, name } = destination;
    const task = { destinationId, name, status: 'complete', attempts: 1, endedAt: expect.any(String) };
    expect(deletion.destinations).toContainEqual(task);
    const ids = deletion.destinations.map(({ destinationId }: { destinationId: string }) => destinationId);
    expect(ids).not.toContain(single.destination.id);
  });

  it('has a receipt once everything is complete, signed by a key that everybody can read', async () => {
    const { regulation, userId } = listed;
    const path = `/v2/regulations/${regulation.id}/receipt`;
    const signed = await until('the receipt', async () => {
      const answer = await own.reader.get(path);
      if (answer.status === 200) return answer.body;
      expectRefusal(answer, 409, /complete/);
      return undefined;
    });
    expect(signed.receipt).toMatchObject({ regulationId: regulation.id, workspaceId: own.id });
    expect(JSON.stringify(signed)).not.toContain(userId);
    const { keys } = made(await nobody().get('/v2/receipt-keys'));
    expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(signed.signature.keyId);
    const [plain] = await regulate(own.writer, { regulationType: 'suppress', users: [{ userId: person() }] });
    expectRefusal(await own.reader.get(`/v2/regulations/${plain?.id}/receipt`), 409, /deletes nothing/);
    expectRefusal(await own.reader.get(`/v2/regulations/${UNKNOWN_UUID}/receipt`), 404);
  });

  it('deletes one by one where the address holds {userId}', async () => {
    const { regulation, userId, destination } = single;
    await statuses(own.reader, regulation, (status) => status[destination.id] === 'complete');
    const sent = hook.requests.filter(({ path }) => path.startsWith('/users/'));
    expect(sent.map(({ method, path }) => [method, path])).toEqual([
      ['DELETE', `/users/${encodeURIComponent(userId)}`],
    ]);
  });

  it('without destinations means all of the workspace at that moment', async () => {
    const { tenant, regulation, destination, plain } = everywhere;
    const later = await withDeletion('/later', tenant.writer);
    const ended = { [destination.id]: 'complete', [plain.id]: 'not_supported' };
    const status = await statuses(tenant.reader, regulation, (found) =>
      Object.entries(ended).every(([id, expected]) => found[id] === expected),
    );
    expect(status).toMatchObject(ended);
    expect(Object.keys(status)).not.toContain(later.id);
  });
});
