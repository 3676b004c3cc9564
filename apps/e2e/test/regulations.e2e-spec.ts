import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, basic, uniqueName, until } from '@weir/testing';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, type Destination, intakeOf, newSource, newWebhook, type Source } from './support/inventory.js';
import { expectRefusal, expectText, UUID } from './support/matchers.js';
import {
  EMAIL,
  made,
  newWorkspace,
  nobody,
  operator,
  UNKNOWN_ID,
  UNKNOWN_UUID,
  type Workspace,
} from './support/workspace.js';

const PAGE_SIZE = 50;
const USERS_MAX = 5_000;

interface Regulation {
  id: string;
  canceled: boolean;
  attributes: Record<string, string>;
}

const hook = useHook();
let own: Workspace;
let source: Source;
beforeAll(async () => {
  own = await newWorkspace();
  source = await newSource(own.writer);
  await connect(own.writer, source, await newWebhook(own.writer, `${hook.url}/hook`));
});

const person = () => uniqueName('person').replace(' ', '-');
const regulate = async (body: object, client: Api = own.writer): Promise<Regulation[]> =>
  made(await client.post('/v2/regulations', body), 201);
const suppress = (userId: string, fields: object = {}) =>
  regulate({ regulationType: 'suppress', users: [{ userId }], ...fields });
const cancel = ({ id }: Regulation) => own.writer.delete(`/v2/regulations/${id}`);
const details = async ({ id }: Regulation) => made(await own.reader.get(`/v2/regulations/${id}`));

/**
 * Sends events in one batch, then one that nothing suppresses, and waits for that one and for `expected` of the batch. Returns the
 * message ids of the batch that arrived.
 */
async function arriving(events: object[], expected: number, from = source, path = '/hook'): Promise<string[]> {
  const ids = events.map(() => uniqueName('event'));
  const batch = events.map((event, n) => ({ type: 'track', event: 'e', ...event, messageId: ids[n] }));
  expectText(await intakeOf(from).post('/v1/batch', { batch }), 200, 'OK');
  const marker = uniqueName('marker');
  await intakeOf(from).post('/v1/track', { anonymousId: 'marker', event: 'e', messageId: marker });
  await delivered(hook, path, marker);
  const arrived = () => {
    const seen = eventsAt(hook, path).map(({ messageId }) => messageId);
    return ids.filter((id) => seen.includes(id));
  };
  await until(`${expected} events`, () => arrived().length >= expected);
  // Order holds per user and not between users. An event too many gets a moment to arrive after the marker.
  await new Promise((resolve) => setTimeout(resolve, 200));
  return arrived();
}

describe('creating a regulation', () => {
  it('answers 201 with one record per user, each with exactly the five fields', async () => {
    const users = [{ userId: person(), phone: '+43 1', email: 'a@example.com' }, { userId: person() }];
    const records = await regulate({ regulationType: 'suppress', users });
    expect(records).toEqual(
      users.map((attributes) => ({
        id: UUID,
        workspaceId: own.id,
        canceled: false,
        regulationType: 'suppress',
        attributes,
      })),
    );
  });

  it('makes records of their own for the same user again', async () => {
    const userId = person();
    const [[first], [second]] = [await suppress(userId), await suppress(userId)];
    expect(first?.id).not.toBe(second?.id);
  });

  it('keeps the sources and destinations out of the records and in the details', async () => {
    const [record] = await suppress(person(), { sourceIds: [source.id] });
    expect(await details(record as Regulation)).toMatchObject({ ...record, sourceIds: [source.id] });
  });

  const users = [{ userId: 'u' }];
  const bad: [string, string, object][] = [
    ['no type', 'regulationType', { users }],
    ['an unknown type', 'regulationType', { regulationType: 'delete', users }],
    ['no users', 'users', { regulationType: 'suppress' }],
    ['an empty list of users', 'users', { regulationType: 'suppress', users: [] }],
    ['users that are no list', 'users', { regulationType: 'suppress', users: { userId: 'u' } }],
    ['a user without userId', 'users.1.userId', { regulationType: 'suppress', users: [...users, { email: 'e' }] }],
    ['a blank userId', 'users.0.userId', { regulationType: 'suppress', users: [{ userId: ' ' }] }],
    ['a userId that is a number', 'users.0.userId', { regulationType: 'suppress', users: [{ userId: 7 }] }],
    [
      'an identifier that is an object',
      'users.0.email',
      { regulationType: 'suppress', users: [{ userId: 'u', email: {} }] },
    ],
    [
      'sources and destinations',
      'sourceIds',
      { regulationType: 'suppress', users, sourceIds: [UNKNOWN_ID], destinationIds: [UNKNOWN_ID] },
    ],
    [
      'sources with a deletion',
      'sourceIds',
      { regulationType: 'suppress_with_delete', users, sourceIds: [UNKNOWN_ID] },
    ],
    ['destinations without one', 'destinationIds', { regulationType: 'suppress', users, destinationIds: [UNKNOWN_ID] }],
    ['no sources in a list', 'sourceIds', { regulationType: 'suppress', users, sourceIds: [] }],
    [
      'no destinations in a list',
      'destinationIds',
      { regulationType: 'suppress_with_delete', users, destinationIds: [] },
    ],
    ['an unknown source', 'sourceIds', { regulationType: 'suppress', users, sourceIds: [UNKNOWN_ID] }],
    [
      'an unknown destination',
      'destinationIds',
      { regulationType: 'suppress_with_delete', users, destinationIds: [UNKNOWN_ID] },
    ],
  ];
  it.each(bad)('with %s is refused with 400 and a message that names %s', async (_, field, body) => {
    const answer = await own.writer.post('/v2/regulations', body);
    expectRefusal(answer, 400, new RegExp(field.replaceAll('.', '\\.')));
  });

  it.each(['suppress', 'suppress_with_delete'])(
    'with sources and destinations that exist is refused for %s with 400, and makes none',
    async (regulationType) => {
      const tenant = await newWorkspace();
      const sourceIds = [(await newSource(tenant.writer)).id];
      const destinationIds = [(await newWebhook(tenant.writer, 'https://hooks.example.com')).id];
      const body = { regulationType, users, sourceIds, destinationIds };
      expectRefusal(await tenant.writer.post('/v2/regulations', body), 400, /sourceIds|destinationIds/);
      expect(made(await tenant.writer.get('/v2/regulations')).data).toEqual([]);
      const allowed = regulationType === 'suppress' ? { sourceIds } : { destinationIds };
      expect((await tenant.writer.post('/v2/regulations', { regulationType, users, ...allowed })).status).toBe(201);
    },
  );

  it('of more users than one request may name is refused with 413, and makes none', async () => {
    const { writer } = await newWorkspace();
    const many = Array.from({ length: USERS_MAX + 1 }, (_, n) => ({ userId: `u${n}` }));
    expectRefusal(await writer.post('/v2/regulations', { regulationType: 'suppress', users: many }), 413, /5,?000/);
    expect(made(await writer.get('/v2/regulations')).data).toEqual([]);
  });

  it('makes nothing when one user of it is bad', async () => {
    const { writer } = await newWorkspace();
    const body = { regulationType: 'suppress', users: [{ userId: 'good' }, {}] };
    expectRefusal(await writer.post('/v2/regulations', body), 400);
    expect(made(await writer.get('/v2/regulations')).data).toEqual([]);
  });

  it('takes Bearer and Basic', async () => {
    const headers = { authorization: basic(EMAIL, own.tokens['read-write']) };
    const body = { regulationType: 'suppress', users: [{ userId: person() }] };
    made(await nobody().post('/v2/regulations', body, { headers }), 201);
  });
});

describe('a suppressed user', () => {
  it('gets nothing more, although an event of before the answer waits for its retry', async () => {
    const [path, userId, messageId] = ['/waits', person(), uniqueName('event')];
    const destination = await newWebhook(own.writer, `${hook.url}${path}`);
    await connect(own.writer, source, destination);
    hook.answer((request) => (request.path === path ? { status: 503, headers: { 'Retry-After': '2' } } : {}));
    await intakeOf(source).post('/v1/track', { userId, event: 'e', messageId });
    const retrying = async () => {
      const query = `destinationId=${destination.id}&status=retrying`;
      return (await own.reader.get(`/v2/deliveries?${query}`)).body.data.length;
    };
    await until('a failed attempt', async () => (await retrying()) === 1);
    await suppress(userId);
    const answeredAt = Date.now();
    hook.answer({});
    await until('the end of its retries', async () => (await retrying()) === 0);
    const sent = hook.requests.filter(({ body }) => body.includes(messageId)).map(({ at }) => at > answeredAt);
    expect(new Set(sent)).toEqual(new Set([false]));
  });

  it('is dropped from the moment that the answer is there, and others are not', async () => {
    const [userId, other] = [person(), person()];
    expect(await arriving([{ userId }], 1)).toHaveLength(1);
    await suppress(userId);
    expect(await arriving([{ userId }, { userId: other }, { userId }], 1)).toHaveLength(1);
  });

  it('gets OK for a request that is suppressed as a whole', async () => {
    const userId = person();
    await suppress(userId);
    expectText(await intakeOf(source).post('/v1/track', { userId, event: 'e' }), 200, 'OK');
  });

  it('is not collected in area D either', async () => {
    const [fresh, userId] = [await newSource(own.writer), person()];
    await suppress(userId);
    await intakeOf(fresh).post('/v1/track', { userId, event: 'Hidden' });
    await intakeOf(fresh).post('/v1/track', { userId: person(), event: 'Seen' });
    const names = await until('the other event', async () => {
      const models = made(await operator().get('/schemas/event-models', { query: { WriteKey: fresh.writeKey } }));
      return models.length > 0 && models.map(({ EventIdentifier }: { EventIdentifier: string }) => EventIdentifier);
    });
    expect(names).toEqual(['Seen']);
  });

  it('is matched by the trimmed userId and numbers as text, not by case, parts or other identifiers', async () => {
    const [userId, number] = [person(), Date.now()];
    const email = `${userId}@example.com`;
    await regulate({ regulationType: 'suppress', users: [{ userId: ` ${userId} `, email }, { userId: `${number}` }] });
    expect(await arriving([{ userId }, { userId: `  ${userId} ` }, { userId: number }], 0)).toEqual([]);
    const others = [
      { userId: userId.toUpperCase() },
      { userId: `${userId}2` },
      { userId: email },
      { anonymousId: userId },
      { userId: person(), email, traits: { userId } },
    ];
    expect(await arriving(others, others.length)).toHaveLength(others.length);
  });

  it('is matched by every digit of a number that is longer than a number can hold', async () => {
    const [theirs, next] = ['90071992547409931234', '90071992547409931235'];
    await suppress(theirs);
    const ids = [theirs, next].map(() => uniqueName('event'));
    const batch = [theirs, next].map((id, n) => `{"type":"track","event":"e","userId":${id},"messageId":"${ids[n]}"}`);
    expectText(await intakeOf(source).post('/v1/batch', `{"batch":[${batch}]}`), 200, 'OK');
    const arrived = await delivered(hook, '/hook', String(ids[1]));
    expect(arrived.json['userId']).toBe(next);
    expect(eventsAt(hook, '/hook').map(({ messageId }) => messageId)).not.toContain(ids[0]);
  });

  it('is matched by the previousId of an alias', async () => {
    const userId = person();
    await suppress(userId);
    const alias = { type: 'alias', userId: person(), previousId: userId };
    const track = { type: 'track', userId: person(), previousId: userId };
    expect(await arriving([alias, track], 1)).toHaveLength(1);
  });

  it('of some sources passes from others', async () => {
    const [other, userId] = [await newSource(own.writer), person()];
    await connect(own.writer, other, await newWebhook(own.writer, `${hook.url}/other`));
    await suppress(userId, { sourceIds: [source.id] });
    expect(await arriving([{ userId }], 0)).toEqual([]);
    expect(await arriving([{ userId }], 1, other, '/other')).toHaveLength(1);
  });

  it('of the workspace is dropped from sources that are made later', async () => {
    const userId = person();
    await suppress(userId);
    const later = await newSource(own.writer);
    await connect(own.writer, later, await newWebhook(own.writer, `${hook.url}/later`));
    expect(await arriving([{ userId }], 0, later, '/later')).toEqual([]);
  });

  it('passes in another workspace', async () => {
    const [other, userId] = [await newWorkspace(), person()];
    await regulate({ regulationType: 'suppress', users: [{ userId }] }, other.writer);
    expect(await arriving([{ userId }], 1)).toHaveLength(1);
  });
});

describe('cancelling', () => {
  it('answers 204, twice too, lifts the suppression and keeps the record as cancelled', async () => {
    const userId = person();
    const [record] = await suppress(userId);
    for (const answer of [await cancel(record as Regulation), await cancel(record as Regulation)]) {
      expect([answer.status, answer.text]).toEqual([204, '']);
    }
    expect(await arriving([{ userId }], 1)).toHaveLength(1);
    expect(await details(record as Regulation)).toMatchObject({ ...record, canceled: true });
  });

  it('one of two regulations leaves the other in force', async () => {
    const userId = person();
    const [[first], [second]] = [await suppress(userId), await suppress(userId, { sourceIds: [source.id] })];
    await cancel(first as Regulation);
    expect(await arriving([{ userId }], 0)).toEqual([]);
    await cancel(second as Regulation);
    expect(await arriving([{ userId }], 1)).toHaveLength(1);
  });

  it('an unknown id is 404', async () => {
    for (const id of [UNKNOWN_UUID, 'no-uuid']) {
      expectRefusal(await own.writer.delete(`/v2/regulations/${id}`), 404, /^regulation not found$/);
      expectRefusal(await own.reader.get(`/v2/regulations/${id}`), 404, /^regulation not found$/);
    }
  });
});

describe('the list', () => {
  it('of a new workspace is empty, without next', async () => {
    const { reader } = await newWorkspace();
    expect(made(await reader.get('/v2/regulations'))).toEqual({ data: [], paging: {} });
  });

  it('comes in creation order in pages of fifty, of both types, cancelled ones too', async () => {
    const { writer, reader, admin } = await newWorkspace();
    const users = Array.from({ length: PAGE_SIZE + 1 }, (_, n) => ({ userId: `user-${n}` }));
    const records = await regulate({ regulationType: 'suppress', users }, writer);
    await newWebhook(writer, `${hook.url}/unused`);
    const deletions = await regulate({ regulationType: 'suppress_with_delete', users: [{ userId: 'last' }] }, admin);
    await writer.delete(`/v2/regulations/${records[3]?.id}`);
    const first = made(await reader.get('/v2/regulations'));
    expect(first.data).toHaveLength(PAGE_SIZE);
    expect(first.paging).toEqual({ next: expect.stringMatching(/^\/v2\/regulations\?after_cursor=.+/) });
    const last = made(await reader.get(first.paging.next));
    expect(last.paging).toEqual({});
    const expected = [...records, ...deletions].map((record, n) => ({ ...record, canceled: n === 3 }));
    expect([...first.data, ...last.data]).toEqual(expected);
  });

  it('refuses a cursor that is none, or of another workspace, with 400', async () => {
    const other = await newWorkspace();
    const users = Array.from({ length: PAGE_SIZE + 1 }, (_, n) => ({ userId: `user-${n}` }));
    await regulate({ regulationType: 'suppress', users }, other.writer);
    const { next } = made(await other.reader.get('/v2/regulations')).paging;
    expectRefusal(await own.reader.get(next), 400, /after_cursor/);
    for (const after_cursor of ['x', '', 'a450395bb52f4acb99e492c358e104eb']) {
      expectRefusal(await own.reader.get('/v2/regulations', { query: { after_cursor } }), 400, /after_cursor/);
    }
  });
});

describe('suppress_with_delete', () => {
  interface Erasure {
    userId: string;
    record: Regulation;
    destination: Destination;
  }
  const withDeletion = (path: string, client = own.writer): Promise<Destination> =>
    newWebhook(client, `${hook.url}/in`, { config: { deletionUrl: `${hook.url}${path}` } });

  async function erase(path: string, userId = person()): Promise<Erasure> {
    const destination = await withDeletion(path);
    const users = [{ userId, email: 'e@example.com' }];
    const [record] = await regulate({
      regulationType: 'suppress_with_delete',
      users,
      destinationIds: [destination.id],
    });
    return { userId, destination, record: record as Regulation };
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
  let everywhere: { tenant: Workspace; record: Regulation; destination: Destination; plain: Destination };
  beforeAll(async () => {
    listed = await erase('/forget');
    single = await erase('/users/{userId}', `${person()}/ü?`);
    const tenant = await newWorkspace();
    const destination = await withDeletion('/forget-all', tenant.writer);
    const plain = await newWebhook(tenant.writer, `${hook.url}/in`);
    const body = { regulationType: 'suppress_with_delete', users: [{ userId: person() }] };
    const [record] = await regulate(body, tenant.writer);
    everywhere = { tenant, destination, plain, record: record as Regulation };
  });

  it('suppresses as well', async () => {
    expect(await arriving([{ userId: listed.userId }], 0)).toEqual([]);
  });

  it('that is cancelled before it starts deletes nothing', async () => {
    const { record, userId } = await erase('/never');
    expect((await cancel(record)).status).toBe(204);
    const { canceled, deletion } = await details(record);
    expect([canceled, deletion.status]).toEqual([true, 'canceled']);
    expect(hook.requests.some(({ path, body }) => path === '/never' && body.includes(userId))).toBe(false);
  });

  it('deletes at the given destinations', async () => {
    const { record, userId, destination } = listed;
    await statuses(own.reader, record, (status) => status[destination.id] === 'complete');
    const sent = hook.requests.filter(({ path, body }) => path === '/forget' && body.includes(userId));
    expect(sent.map(({ method, json }) => ({ method, json }))).toEqual([
      {
        method: 'POST',
        json: {
          regulationId: record.id,
          destinationId: destination.id,
          users: [{ userId, email: 'e@example.com' }],
        },
      },
    ]);
    const { deletion } = await details(record);
    const { id: destinationId, name } = destination;
    const task = { destinationId, name, status: 'complete', attempts: 1, endedAt: expect.any(String) };
    expect(deletion.destinations).toContainEqual(task);
    const ids = deletion.destinations.map(({ destinationId }: { destinationId: string }) => destinationId);
    expect(ids).not.toContain(single.destination.id);
  });

  it('has a receipt once everything is complete, signed by a key that everybody can read', async () => {
    const { record, userId } = listed;
    const path = `/v2/regulations/${record.id}/receipt`;
    const signed = await until('the receipt', async () => {
      const answer = await own.reader.get(path);
      if (answer.status === 200) return answer.body;
      expectRefusal(answer, 409, /complete/);
      return undefined;
    });
    expect(signed.receipt).toMatchObject({ regulationId: record.id, workspaceId: own.id });
    expect(JSON.stringify(signed)).not.toContain(userId);
    const { keys } = made(await nobody().get('/v2/receipt-keys'));
    expect(keys.map(({ kid }: { kid: string }) => kid)).toContain(signed.signature.keyId);
    const [plain] = await suppress(person());
    expectRefusal(await own.reader.get(`/v2/regulations/${plain?.id}/receipt`), 409, /deletes nothing/);
    expectRefusal(await own.reader.get(`/v2/regulations/${UNKNOWN_UUID}/receipt`), 404);
  });

  it('deletes one by one where the address holds {userId}', async () => {
    const { record, userId, destination } = single;
    await statuses(own.reader, record, (status) => status[destination.id] === 'complete');
    const sent = hook.requests.filter(({ path }) => path.startsWith('/users/'));
    expect(sent.map(({ method, path }) => [method, path])).toEqual([
      ['DELETE', `/users/${encodeURIComponent(userId)}`],
    ]);
  });

  it('without destinations means all of the workspace at that moment', async () => {
    const { tenant, record, destination, plain } = everywhere;
    const later = await withDeletion('/later', tenant.writer);
    const ended = { [destination.id]: 'complete', [plain.id]: 'not_supported' };
    const status = await statuses(tenant.reader, record, (found) =>
      Object.entries(ended).every(([id, expected]) => found[id] === expected),
    );
    expect(status).toMatchObject(ended);
    expect(Object.keys(status)).not.toContain(later.id);
  });
});
