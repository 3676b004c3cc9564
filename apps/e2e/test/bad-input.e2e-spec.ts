import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '@weir/testing';
import { newTransformation } from './support/code.js';
import { newSource, newWebhook } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, operator, type Workspace } from './support/workspace.js';

let own: Workspace;
/** Every path that takes a body, with ids that exist. */
let paths: string[];
beforeAll(async () => {
  own = await newWorkspace();
  const [source, destination] = [
    await newSource(own.writer),
    await newWebhook(own.writer, 'https://hooks.example.com'),
  ];
  const { id } = await newTransformation(own.writer);
  paths = [
    '/v2/sources',
    '/v2/destinations',
    '/v2/connections',
    '/v2/regulations',
    '/v2/access-tokens',
    '/transformations',
    `/transformations/${id}`,
    '/libraries',
    '/transformations/libraries/publish',
    '/libraries/publish',
    '/transformations/publish',
    '/transformations/libraries/test',
    '/transformations/tests/run',
    `/v0/testDestination/${destination.id}`,
    `/v0/testSource/${source.id}`,
  ];
});

/** Sends the same body everywhere. */
async function everywhere(body: unknown, check: (answer: Answer, path: string) => void, headers = {}) {
  for (const path of paths) check(await own.admin.post(path, body, { headers }), path);
}

describe('a body', () => {
  it.each([
    ['{"name": ', /not valid JSON/],
    ['{"name": "a" "b"}', /not valid JSON.*position/],
    ['nonsense', /not valid JSON/],
    ["{'name': 1}", /not valid JSON/],
  ])('of %s is refused with 400 and where it is wrong', async (body, about) => {
    await everywhere(body, (answer) => expectRefusal(answer, 400, about));
  });

  it.each(['[]', '"text"', '7', 'null', 'true'])('of %s is refused with 400: it must be an object', async (body) => {
    await everywhere(body, (answer) => expectRefusal(answer, 400, /object/));
  });

  it('that is no UTF-8 is refused with 400', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]);
    await everywhere(bytes, (answer) => expectRefusal(answer, 400, /UTF-8/));
  });

  it('with a NUL character is refused with 400', async () => {
    await everywhere('{"name":"a\\u0000b"}', (answer) => expectRefusal(answer, 400, /NUL/));
  });

  it('that is nested too deep is refused with 400', async () => {
    const deep = `{"a":${'['.repeat(100)}${']'.repeat(100)}}`;
    await everywhere(deep, (answer) => expectRefusal(answer, 400, /nested deeper than 64/));
    const deeper = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    await everywhere(deeper, (answer) => expectRefusal(answer, 400, /nested deeper than 64/));
  });

  it('with too many keys is refused with 400', async () => {
    const many = JSON.stringify({ a: Array.from({ length: 120_001 }, () => 0) });
    await everywhere(many, (answer) => expectRefusal(answer, 400, /more than 120000 keys/));
  });

  it('that is too large is refused with 413', async () => {
    const large = JSON.stringify({ name: 'x'.repeat(1_100_000) });
    await everywhere(large, (answer) => expectRefusal(answer, 413, /larger than/));
    expectRefusal(await operator().post('/admin/workspaces', { name: 'x'.repeat(100_000) }), 413, /larger than/);
  });

  it.each(['text/plain', 'application/xml', 'multipart/form-data; boundary=x'])(
    'that says to be %s is refused with 415',
    async (type) => {
      const check = (answer: Answer) => {
        expect(answer.status).toBe(415);
        expect(answer.body).toMatchObject({ message: expect.stringMatching(/json/i), code: 'UNSUPPORTED_MEDIA_TYPE' });
      };
      await everywhere('{}', check, { 'content-type': type });
    },
  );

  it('of any values never gets a 5xx', async () => {
    const fields = [
      'name',
      'code',
      'type',
      'config',
      'users',
      'events',
      'transformations',
      'libraries',
      'message',
      'stage',
    ];
    const values = [null, true, -1, 1e308, '', '\ud800', [], [[]], {}, { '': '' }, { $ne: 1 }, "'; DROP TABLE x; --"];
    for (const value of values) {
      const body = Object.fromEntries(fields.map((field) => [field, value]));
      await everywhere(body, ({ status, text }, path) =>
        expect([path, status < 500, text]).toEqual([path, true, text]),
      );
    }
  });
});

describe('patterns in a configuration', () => {
  const slack = (eventName: string) => ({
    name: `matching ${eventName}`,
    type: 'SLACK',
    config: {
      webhookUrl: 'https://hooks.example.com/in',
      eventTemplateSettings: [{ eventName, eventRegex: true, eventTemplate: '{{event}}' }],
    },
  });

  it('that no linear engine can have are refused with 400, naming key and feature, when created or updated', async () => {
    const refused = /config\.eventTemplateSettings\.0\.eventName cannot have look-ahead/;
    expectRefusal(await own.writer.post('/v2/destinations', slack('^(?!Paid)')), 400, refused);
    const { body } = await own.writer.post('/v2/destinations', slack('^(a+)+$'));
    const { id } = body.destination;
    expectRefusal(await own.writer.put(`/v2/destinations/${id}`, slack('^(?!Paid)')), 400, refused);
  });
});

describe('keys that could reach a prototype', () => {
  it.each(['__proto__', 'constructor', 'prototype'])('%s is refused in a configuration with 400', async (key) => {
    const config = JSON.parse(`{"webhookUrl":"https://hooks.example.com","deep":{"${key}":{"polluted":true}}}`);
    const body = { name: `named ${key}`, type: 'WEBHOOK', config };
    expectRefusal(await own.writer.post('/v2/destinations', body), 400, new RegExp(key));
  });

  it('are data like any other in events, and change nothing', async () => {
    const destination = await newWebhook(own.writer, 'https://hooks.example.com/in');
    const message = '{"type":"track","event":"e","userId":"u","properties":{"__proto__":{"polluted":true}}}';
    const stage = '{"dest_transform":true}';
    const answer = await own.writer.post(
      `/v0/testDestination/${destination.id}`,
      `{"message":${message},"stage":${stage}}`,
    );
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"properties":{"__proto__":{"polluted":true}}');
  });
});

describe('unknown keys', () => {
  it('of a body are ignored', async () => {
    const answer = made(await own.writer.post('/v2/sources', { name: 'with more', type: 'HTTP', colour: 'red' }));
    expect(answer.source).not.toHaveProperty('colour');
    made(await own.writer.post('/transformations', { name: 't', code: 'export const a = 1;', tags: ['x'] }));
  });
});

describe('a query', () => {
  it.each([
    ['/v2/sources', 'page', 'first'],
    ['/v2/regulations', 'after_cursor', 'nonsense'],
    ['/admin/access-tokens', 'workspaceId', 'short'],
  ])('%s?%s=%s is refused with 400 and its name', async (path, name, value) => {
    const client = path.startsWith('/admin') ? operator() : own.reader;
    expectRefusal(await client.get(path, { query: { [name]: value } }), 400, new RegExp(name));
  });

  it('with a value given twice is refused with 400', async () => {
    expectRefusal(await own.reader.get('/v2/sources?page=1&page=2'), 400, /page/);
  });
});

describe('a path', () => {
  it.each([
    '/v2/sources/%00',
    '/v2/sources/%ZZ',
    '/v2/sources/..%2F..',
    `/v2/sources/${'x'.repeat(3_000)}`,
    '/transformations/%F0%9F%92%A9',
  ])('like %s is refused with a 4xx and JSON', async (path) => {
    const { status, body } = await own.reader.get(path);
    expect([400, 404, 414]).toContain(status);
    expect(body).toMatchObject({ message: expect.any(String), error: body.message, code: expect.any(String) });
  });
});
