import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Api, basic, uniqueName, until } from '@weir/testing';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, intakeOf, newSource, newSourceTo, newWebhook, type Source } from './support/inventory.js';
import { expectRefusal, expectText, UUID } from './support/matchers.js';
import {
  arriving as arrived,
  detailsOf,
  person,
  type Regulation,
  regulate as regulated,
} from './support/regulations.js';
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

const hook = useHook();
let own: Workspace;
let source: Source;
beforeAll(async () => {
  own = await newWorkspace();
  source = await newSourceTo(own.writer, `${hook.url}/hook`);
});

const regulate = (body: object, client: Api = own.writer) => regulated(client, body);
const suppress = (userId: string, fields: object = {}) =>
  regulate({ regulationType: 'suppress', users: [{ userId }], ...fields });
const cancel = ({ id }: Regulation) => own.writer.delete(`/v2/regulations/${id}`);
const details = (regulation: Regulation) => detailsOf(own.reader, regulation);
const arriving = (events: object[], expected: number, from = source, path = '/hook') =>
  arrived(hook, from, { events, expected, path });

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
