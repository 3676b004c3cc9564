import { describe, expect, it } from '@jest/globals';
import { type DestinationRecord, ListDefinitions, RunCode, type StageResults } from '@weir/contracts';
import { destinationDefinitions } from '@weir/destinations';
import { newKsuid } from '@weir/service-kit';
import type { RecordingServer, StandIns } from '@weir/testing';
import { message, SECRET, SEND, type TestRequest, useRunner, workspaceId } from './runner-scene.js';

let server: RecordingServer;
let elsewhere: RecordingServer;
let standIns: StandIns;
const { database, nats, rpc, webhook, test } = useRunner((stage) => {
  ({ server, elsewhere, standIns } = stage);
});

async function elementOf(destination: DestinationRecord, request: Partial<TestRequest> = {}): Promise<StageResults> {
  const { data } = await test(destination, request);
  expect(data).toHaveLength(1);
  return data?.[0] ?? {};
}

describe('a test with the event of a suppressed user', () => {
  it('shows what the event would become, says so and sends nothing', async () => {
    expect((await test(webhook(), { suppressed: [0], details: true })).suppressed).toEqual([0]);
    const { data, ...result } = await test(webhook(), { suppressed: [0] });
    expect(result).not.toHaveProperty('suppressed');
    expect(data?.[0]?.dest_transformed_payload).toHaveLength(1);
    expect(data?.[0]?.destination_response).toEqual({
      error: 'The user of the event is suppressed. Nothing was sent',
    });
    expect(server.requests).toEqual([]);
  });
});

describe('a full test', () => {
  it('shows and sends what every stage made', async () => {
    const destination = webhook();
    standIns.publish(workspaceId, destination.id, (event) => ({ status: 'ok', outputs: [{ ...event, added: 1 }] }));
    server.answer({ body: { ok: true } });
    const result = await test(destination);
    const transformed = { ...message, added: 1 };
    expect(result).toStrictEqual({
      destinationId: destination.id,
      destination: 'WEBHOOK',
      destinationName: 'My hook',
      data: [
        {
          user_transformed_payload: transformed,
          dest_transformed_payload: [
            {
              version: '1',
              type: 'REST',
              method: 'POST',
              endpoint: `${server.url}/hook`,
              headers: { 'content-type': 'application/json', authorization: SECRET },
              params: {},
              body: { JSON: transformed, JSON_ARRAY: {}, XML: {}, FORM: {} },
              files: {},
            },
          ],
          destination_response: [{ ok: true }],
          destination_response_status: [200],
        },
      ],
    });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/hook', json: transformed });
    expect(server.requests[0]?.headers).toMatchObject({ authorization: SECRET });
  });

  it('gives user code what is known of the event', async () => {
    const destination = webhook();
    const sourceId = newKsuid();
    standIns.publish(workspaceId, destination.id, (event) => ({ status: 'ok', outputs: [event] }));
    await test(destination, { message: { ...message, messageId: 'm-1' }, sourceId });
    expect(standIns.callsTo(RunCode)).toMatchObject([
      {
        mode: 'test',
        workspaceId,
        events: [{ metadata: { sourceId, destinationId: destination.id, messageId: 'm-1', eventName: 'Paid' } }],
      },
    ]);
  });

  it('has one element for each event that came out', async () => {
    const destination = webhook();
    standIns.publish(workspaceId, destination.id, (event) => ({ status: 'ok', outputs: [event, { type: 'page' }] }));
    const { data } = await test(destination);
    expect(data?.map((element) => element.user_transformed_payload)).toEqual([message, { type: 'page' }]);
    expect(server.requests.map(({ json }) => json)).toEqual([message, { type: 'page' }]);
  });
});

describe('user code', () => {
  it.each([
    ['nothing published', () => undefined],
    ['a version that is gone', () => standIns.code.clear()],
  ])('that is not connected says so and the next stages run: %s', async (name, arrange) => {
    const destination = webhook();
    if (name !== 'nothing published') standIns.publish(workspaceId, destination.id, () => ({ status: 'dropped' }));
    arrange();
    const element = await elementOf(destination);
    expect(element.user_transformed_payload).toEqual({ error: 'Transformation VersionID not found' });
    expect(element.destination_response_status).toEqual([200]);
    expect(server.requests[0]?.json).toEqual(message);
  });

  it('that throws aborts the later stages and sends nothing', async () => {
    const destination = webhook();
    standIns.publish(workspaceId, destination.id, () => ({ status: 'error', error: { message: 'Error: boom' } }));
    expect(await elementOf(destination)).toStrictEqual({
      user_transformed_payload: { error: 'Error: boom' },
      dest_transformed_payload: { error: 'error encountered in user_transformation stage. Aborting.' },
      destination_response: { error: 'error encountered in dest_transformation stage. Aborting.' },
    });
    expect(server.requests).toEqual([]);
  });

  it('that drops the event ends it', async () => {
    const destination = webhook();
    standIns.publish(workspaceId, destination.id, () => ({ status: 'dropped' }));
    const element = await elementOf(destination);
    expect(element.user_transformed_payload).toBeNull();
    expect(element).not.toHaveProperty('destination_response_status');
    expect(server.requests).toEqual([]);
  });

  it('that makes too many events of one has failed', async () => {
    const destination = webhook();
    const outputs = Array.from({ length: 101 }, () => ({ type: 'track' }));
    standIns.publish(workspaceId, destination.id, () => ({ status: 'ok', outputs }));
    expect((await elementOf(destination)).user_transformed_payload).toEqual({
      error: expect.stringContaining('101 events came out'),
    });
  });

  it('that nobody can run is an error of the call', async () => {
    const destination = webhook();
    standIns.publish(workspaceId, destination.id, () => ({ status: 'dropped' }));
    standIns.broken.add(RunCode.subject);
    await expect(test(destination)).rejects.toMatchObject({ code: 'unavailable' });
  });
});

describe('a destination', () => {
  const disabled = () => webhook({}, { enabled: false });

  it('that is disabled is not tested', async () => {
    const destination = disabled();
    expect(await test(destination)).toStrictEqual({
      destinationId: destination.id,
      destinationName: 'My hook',
      error: `Destination with id ${destination.id} is disabled`,
    });
    expect(server.requests).toEqual([]);
  });

  it('that is disabled is tested by force', async () => {
    expect((await test(disabled(), { force: true, stage: SEND })).data).toHaveLength(1);
  });

  it.each(['KAFKA', 'S3', 'SNOWFLAKE', 'NO_SUCH_KIND'])('of type %s is not supported', async (type) => {
    const destination = webhook({}, { type });
    expect(await test(destination)).toStrictEqual({
      destinationId: destination.id,
      destinationName: 'My hook',
      error: `Destinations of type ${type} are not supported by the Test API`,
    });
  });

  it('with a configuration that it cannot use aborts sending', async () => {
    expect(await elementOf(webhook({ webhookUrl: '' }), { stage: SEND })).toStrictEqual({
      dest_transformed_payload: { error: 'Invalid URL in destination config' },
      destination_response: { error: 'error encountered in dest_transformation stage. Aborting.' },
    });
  });
});

describe('an override', () => {
  it('holds for the one request', async () => {
    const destination = webhook();
    const configOverride = { webhookUrl: `${server.url}/hook/deeper`, webhookMethod: 'PUT' };
    await test(destination, { stage: SEND, configOverride });
    await test(destination, { stage: SEND });
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual(['PUT /hook/deeper', 'POST /hook']);
    expect(server.requests[0]?.headers).toMatchObject({ authorization: SECRET });
  });

  it('of the address never takes stored secrets along', async () => {
    const configOverride = { webhookUrl: `${elsewhere.url}/steal` };
    const element = await elementOf(webhook(), { stage: SEND, configOverride });
    expect(elsewhere.requests).toHaveLength(1);
    expect(JSON.stringify([elsewhere.requests, element])).not.toContain('s3cret');
  });

  it('of the path takes none along either, for an admin too, and the answer says so', async () => {
    const configOverride = { webhookUrl: `${server.url}/other` };
    const result = await test(webhook(), { stage: SEND, configOverride, details: true });
    expect(server.requests.map(({ path }) => path)).toEqual(['/other']);
    expect(JSON.stringify([server.requests, result])).not.toContain('s3cret');
    expect(result.details?.secretsLeftOut).toEqual({ changed: ['webhookUrl'], keys: ['headers.to'] });
    const unchanged = await test(webhook(), { stage: SEND, configOverride: { webhookMethod: 'PUT' }, details: true });
    expect(unchanged.details).not.toHaveProperty('secretsLeftOut');
  });

  it('of the address may bring secrets of its own', async () => {
    const configOverride = { webhookUrl: elsewhere.url, headers: [{ from: 'x-own', to: 'mine' }] };
    await test(webhook(), { stage: SEND, configOverride });
    expect(elsewhere.requests[0]?.headers).toMatchObject({ 'x-own': 'mine' });
  });

  it('is not needed to lead an event astray, and that takes no secrets along either', async () => {
    await test(webhook(), { stage: SEND, message: { ...message, fullPath: `${elsewhere.url}/steal` } });
    expect(elsewhere.requests).toHaveLength(1);
    expect(JSON.stringify(elsewhere.requests)).not.toContain('s3cret');
  });

  it.each(['/../admin', '/%2e%2e/admin', '/..%2fadmin', '\\..\\admin', 'side', '@127.0.0.1/'])(
    'is not needed to lead an event to another path, and the payload that is shown is the one that is sent: %s',
    async (appendPath) => {
      const element = await elementOf(webhook(), { stage: SEND, message: { ...message, appendPath } });
      const [payload] = element.dest_transformed_payload as { headers: object }[];
      expect(payload?.headers).toEqual({ 'content-type': 'application/json' });
      for (const { headers } of server.requests) expect(headers).not.toHaveProperty('authorization');
    },
  );
});

describe('secrets', () => {
  it.each(['read-write', 'read-only'] as const)(
    'are masked for %s, in the payload and where they are echoed',
    async (role) => {
      server.answer(({ headers }) => ({ body: { youSent: headers['authorization'] } }));
      const element = await elementOf(webhook(), { stage: SEND, role });
      expect(element.dest_transformed_payload).toMatchObject([{ headers: { authorization: '***' } }]);
      expect(element.destination_response).toEqual([{ youSent: '***' }]);
      expect(server.requests[0]?.headers).toMatchObject({ authorization: SECRET });
    },
  );

  it('are masked where a destination repeats the part behind the scheme', async () => {
    server.answer({ status: 401, body: { error: 'no such token: s3cret-t0ken' } });
    const element = await elementOf(webhook(), { stage: SEND, role: 'read-write' });
    expect(element.destination_response).toEqual([{ error: 'no such token: ***' }]);
  });
});

describe('what the destination answers', () => {
  const responseTo = async (reply: Parameters<RecordingServer['answer']>[0]) => {
    server.answer(reply);
    const element = await elementOf(webhook(), { stage: SEND });
    return [element.destination_response, element.destination_response_status];
  };

  it.each([
    ['JSON', { body: [1, { a: 2 }] }, [1, { a: 2 }], 200],
    ['XML', { headers: { 'content-type': 'application/xml' }, body: '<ok/>' }, '<ok/>', 200],
    ['text', { headers: { 'content-type': 'text/plain' }, body: 'fine' }, 'fine', 200],
    ['anything else', { headers: { 'content-type': 'image/png' }, body: 'PNG' }, '', 200],
    ['nothing', { status: 204 }, '', 204],
    ['an empty failure', { status: 500 }, 'Error occurred while processing payload.', 500],
    ['a failure in words', { status: 404, body: { message: 'no such hook' } }, { message: 'no such hook' }, 404],
    ['a redirect', { status: 302, headers: { location: '/elsewhere' } }, '', 302],
    ['a huge body of bytes', { bodyBytes: 2_000_000 }, '', 200],
    [
      'JSON that is too deep to walk through',
      { headers: { 'content-type': 'application/json' }, body: `${'['.repeat(9_000)}${']'.repeat(9_000)}` },
      `${'['.repeat(9_000)}${']'.repeat(9_000)}`,
      200,
    ],
    ['what only calls itself JSON', { headers: { 'content-type': 'application/json' }, body: '{"a":' }, '{"a":', 200],
    ['a cut connection', { reset: 'before' as const }, 'The destination could not be reached', 502],
    ['a cut body', { reset: 'within' as const, body: 'x'.repeat(99) }, 'The destination could not be reached', 502],
  ])('is shown: %s', async (_, reply, response, status) => {
    expect(await responseTo(reply)).toEqual([[response], [status]]);
  });

  it('is cut at 256 KiB', async () => {
    const [response] = await responseTo({ headers: { 'content-type': 'text/plain' }, body: 'x'.repeat(300_000) });
    expect((response as string[])[0]).toHaveLength(262_144);
  });

  it('is shortened where it would not fit the answer', async () => {
    const [response, status] = await responseTo({
      headers: { 'content-type': 'text/plain' },
      body: '\u0001'.repeat(262_144),
    });
    expect(status).toEqual([200]);
    expect(new Set((response as string[])[0])).toEqual(new Set('\u0001'));
  });

  it('is waited for no longer than 10 s', async () => {
    const lastingS = (seconds: number) => ({ trickleMs: 500, body: 'x'.repeat(2 * seconds) });
    server.answer(({ path }) => lastingS(path === '/5' ? 5 : 15));
    const [shorter, longer] = await Promise.all(
      ['/5', '/15'].map((path) => elementOf(webhook({ webhookUrl: server.url + path }), { stage: SEND })),
    );
    expect(shorter?.destination_response_status).toEqual([200]);
    expect([longer?.destination_response, longer?.destination_response_status]).toEqual([
      ['The destination did not answer in time'],
      [504],
    ]);
  });

  it.each(['http://169.254.169.254/latest', 'http://10.0.0.1:5432/', 'https://no-such-name.invalid/'])(
    'tells nothing about %s',
    async (webhookUrl) => {
      const element = await elementOf(webhook({ webhookUrl }), { stage: SEND });
      expect(element.destination_response).toEqual([
        'The address of the destination cannot be resolved or is not allowed',
      ]);
      expect(element.destination_response_status).toEqual([400]);
    },
  );

  it('is nothing from our own database and broker', async () => {
    for (const { host } of [new URL(nats.url), new URL(database.url)]) {
      const element = await elementOf(webhook({ webhookUrl: `http://${host}/` }), { stage: SEND });
      expect(element.destination_response_status).toEqual([400]);
    }
  });
});

it('lists the definitions page by page', async () => {
  const first = await rpc().send(ListDefinitions, {});
  const names = first.definitions.map(({ name }) => name);
  for (let { next } = first; next !== undefined; ) {
    const page = await rpc().send(ListDefinitions, { after: next });
    names.push(...page.definitions.map(({ name }) => name));
    next = page.next;
  }
  expect(names).toEqual(destinationDefinitions().map(({ name }) => name));
});
