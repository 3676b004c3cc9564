import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Api, type RecordedRequest, until } from '@weir/testing';
import { marking, newTransformation } from './support/code.js';
import { useHook } from './support/hook.js';
import { connect, type Destination, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, operator, UNKNOWN_ID, type Workspace } from './support/workspace.js';

const ALL = { user_transform: true, dest_transform: true, send_to_destination: true };
const ABORTED_BY_USER = { error: 'error encountered in user_transformation stage. Aborting.' };
const ABORTED_BY_DEST = { error: 'error encountered in dest_transformation stage. Aborting.' };
const message = { type: 'track', event: 'Bought', userId: 'ada', properties: { price: 5 } };

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});
beforeEach(() => {
  hook.clear();
  hook.answer({ body: { ok: true } });
});

const newHook = (fields: Record<string, unknown> = {}) => newWebhook(own.writer, `${hook.url}/hook`, fields);
const test = (destination: Destination, body: object, query = {}, client: Api = own.writer) =>
  client.post(`/v0/testDestination/${destination.id}`, { message, ...body }, { query });
/** The elements of `data`. */
const dataOf = async (destination: Destination, body: object, query = {}) =>
  made(await test(destination, body, query)).data;
/** A destination whose transformation has this code. */
async function transformed(code: string): Promise<Destination> {
  const destination = await newHook();
  await newTransformation(own.writer, code, { destinationIds: [destination.id] });
  return destination;
}
/** Passes its own tests and throws on the events of these tests. */
const THROW_LATER =
  "export function transformEvent(event) { if (event.event === 'Bought') throw new Error('boom'); return event; }";
const payload = (fields: object = {}) => ({
  version: '1',
  type: 'REST',
  method: 'POST',
  endpoint: `${hook.url}/hook`,
  headers: { 'content-type': 'application/json' },
  params: {},
  body: { JSON: message, JSON_ARRAY: {}, XML: {}, FORM: {} },
  files: {},
  ...fields,
});

describe('testDestination', () => {
  it('with all stages shows what each made of the event, and delivers it', async () => {
    const destination = await transformed(marking('seen'));
    const answer = made(await test(destination, { stage: ALL }));
    const sent = { ...message, seen: true };
    expect(answer).toEqual({
      destinationId: destination.id,
      destination: 'WEBHOOK',
      destinationName: destination.name,
      data: [
        {
          user_transformed_payload: sent,
          dest_transformed_payload: [payload({ body: { JSON: sent, JSON_ARRAY: {}, XML: {}, FORM: {} } })],
          destination_response: [{ ok: true }],
          destination_response_status: [200],
        },
      ],
    });
    expect(hook.requests.map(({ method, path, json }) => ({ method, path, json }))).toEqual([
      { method: 'POST', path: '/hook', json: sent },
    ]);
  });

  it('needs no source that is connected to the destination', async () => {
    expect(await dataOf(await newHook(), { stage: { dest_transform: true } })).toHaveLength(1);
  });

  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])('takes a message of type %s', async (type) => {
    const destination = await newHook();
    const [data] = await dataOf(destination, { message: { ...message, type }, stage: { dest_transform: true } });
    expect(data.dest_transformed_payload[0].body.JSON.type).toBe(type);
  });

  it('shows no key for a stage that was not asked for', async () => {
    const destination = await transformed(marking('seen'));
    const keys = async (stage: object) => Object.keys((await dataOf(destination, { stage }))[0]);
    expect(await keys({})).toEqual([]);
    expect(await keys({ user_transform: true })).toEqual(['user_transformed_payload']);
    expect(await keys({ dest_transform: true })).toEqual(['dest_transformed_payload']);
    expect(await keys({ send_to_destination: true })).toEqual([]);
    expect(await keys({ user_transform: true, send_to_destination: true })).toEqual(['user_transformed_payload']);
    expect(await keys({ ...ALL, send_to_destination: false })).toEqual([
      'user_transformed_payload',
      'dest_transformed_payload',
    ]);
    expect(hook.requests).toEqual([]);
  });

  it('skips the transformation where user_transform is false', async () => {
    const destination = await transformed(marking('seen'));
    const [data] = await dataOf(destination, { stage: { dest_transform: true } });
    expect(data).toEqual({ dest_transformed_payload: [payload()] });
  });

  it('without stage transforms and sends nothing', async () => {
    const [data] = await dataOf(await newHook(), {});
    expect(data).toEqual({
      user_transformed_payload: { error: 'Transformation VersionID not found' },
      dest_transformed_payload: [payload()],
    });
    expect(hook.requests).toEqual([]);
  });

  it('without a transformation says so and goes on with the next stage', async () => {
    const [data] = await dataOf(await newHook(), { stage: ALL });
    expect(data.user_transformed_payload).toEqual({ error: 'Transformation VersionID not found' });
    expect(data.dest_transformed_payload).toEqual([payload()]);
    expect(data.destination_response_status).toEqual([200]);
  });

  it('aborts the later stages when the transformation fails', async () => {
    const [data] = await dataOf(await transformed(THROW_LATER), { stage: ALL });
    expect(data).toEqual({
      user_transformed_payload: { error: expect.stringContaining('boom') },
      dest_transformed_payload: ABORTED_BY_USER,
      destination_response: ABORTED_BY_DEST,
    });
    expect(hook.requests).toEqual([]);
  });

  it('aborts the delivery when the destination transformation fails', async () => {
    const destinationConfig = { webhookUrl: '' };
    const answer = await test(await newHook(), { stage: ALL, destinationConfig });
    const [data] = made(answer).data;
    expect(data.dest_transformed_payload).toEqual({ error: 'Invalid URL in destination config' });
    expect(data.destination_response).toEqual(ABORTED_BY_DEST);
    expect(data).not.toHaveProperty('destination_response_status');
  });

  it('shows null for an event that was dropped, and explains the stages that were skipped', async () => {
    const drop = "export function transformEvent(event) { return event.event === 'Bought' ? null : event; }";
    const [data] = await dataOf(await transformed(drop), { stage: ALL });
    expect(data).toEqual({
      user_transformed_payload: null,
      dest_transformed_payload: { error: expect.stringMatching(/dropped/) },
      destination_response: { error: expect.stringMatching(/dropped/) },
    });
    expect(hook.requests).toEqual([]);
  });

  it('has an element of data for each event that came out', async () => {
    const twice = 'export function transformEvent(event) { return [{ ...event, n: 1 }, { ...event, n: 2 }]; }';
    const data = await dataOf(await transformed(twice), { stage: ALL });
    const numbers = data.map((one: { user_transformed_payload: { n: number } }) => one.user_transformed_payload.n);
    expect(numbers).toEqual([1, 2]);
    expect(hook.requests.map(({ json }) => (json as { n: number }).n)).toEqual([1, 2]);
  });

  it('shows the answers and statuses of the destination, failing ones too, with 200', async () => {
    hook.script(
      { status: 422, body: { reason: 'no' } },
      { status: 500, headers: { 'content-type': 'text/plain' }, body: 'down' },
    );
    const destination = await newHook();
    const [refused] = await dataOf(destination, { stage: ALL });
    expect([refused.destination_response, refused.destination_response_status]).toEqual([[{ reason: 'no' }], [422]]);
    const [failed] = await dataOf(destination, { stage: ALL });
    expect([failed.destination_response, failed.destination_response_status]).toEqual([['down'], [500]]);
  });

  it('says when the destination cannot be reached, with 200', async () => {
    const destination = await newWebhook(own.writer, 'http://127.0.0.1:1/nothing');
    const [data] = await dataOf(destination, { stage: ALL });
    expect(data.destination_response).toEqual([expect.stringMatching(/could not be reached/)]);
    expect(data.destination_response_status).toEqual([502]);
  });

  it('never enters a stream: a test is not collected', async () => {
    const source = await newSource(own.writer);
    await connect(own.writer, source, await newHook());
    made(await own.writer.post(`/v0/testSource/${source.id}`, { message, stage: ALL }));
    await sendEvent(source, 'track', { userId: 'u', event: 'Real' });
    const query = { WriteKey: source.writeKey };
    const models = await until('the real event', async () => {
      const found = made(await operator().get('/schemas/event-models', { query }));
      return found.length > 0 && found;
    });
    expect(models).toMatchObject([{ EventIdentifier: 'Real', TotalCount: 1 }]);
    // or it would arrive among the requests of the next test
    const isReal = ({ json }: RecordedRequest) => (json as { event?: string }).event === 'Real';
    await until('the delivery of the real event', () => hook.requests.some(isReal));
  });
});

describe('destinationConfig', () => {
  it('overrides the stored configuration for this request only', async () => {
    const destination = await newHook({ config: { webhookMethod: 'PUT' } });
    const destinationConfig = { webhookUrl: `${hook.url}/elsewhere`, headers: [{ from: 'X-Test', to: 'yes' }] };
    const answer = await test(destination, { stage: ALL, destinationConfig }, {}, own.admin);
    expect(made(answer).data[0].dest_transformed_payload).toEqual([
      payload({
        method: 'PUT',
        endpoint: `${hook.url}/elsewhere`,
        headers: { 'content-type': 'application/json', 'x-test': 'yes' },
      }),
    ]);
    await dataOf(destination, { stage: ALL });
    expect(hook.requests.map(({ path }) => path)).toEqual(['/elsewhere', '/hook']);
    const stored = made(await own.admin.get(`/v2/destinations/${destination.id}`)).destination.config;
    expect(stored).toEqual({ webhookUrl: `${hook.url}/hook`, webhookMethod: 'PUT' });
  });

  it('of another address gets no stored secret', async () => {
    const headers = [{ from: 'authorization', to: 'hush-2' }];
    const destination = await newWebhook(own.writer, 'https://hooks.example.com/in', { config: { headers } });
    const destinationConfig = { webhookUrl: `${hook.url}/mine` };
    const answer = await test(destination, { stage: ALL, destinationConfig });
    expect(answer.text).not.toContain('hush-2');
    expect(JSON.stringify(hook.requests)).not.toContain('hush-2');
  });
});

describe('secrets in the payload', () => {
  it('are shown to admins only', async () => {
    const destination = await newHook({ config: { headers: [{ from: 'x-key', to: 'hush-3' }] } });
    const body = { stage: { dest_transform: true } };
    const headerFor = async (client: Api) =>
      made(await test(destination, body, {}, client)).data[0].dest_transformed_payload[0].headers['x-key'];
    expect(await headerFor(own.admin)).toBe('hush-3');
    expect(await headerFor(own.writer)).toBe('***');
    expect(await headerFor(own.reader)).toBe('***');
  });
});

describe('a message', () => {
  const missing = [{}, { type: 7 }, { type: null }, { type: ['track'] }];
  it.each(missing)('of %j is refused with 400: its type is missing or invalid', async (bad) => {
    const answer = await test(await newHook(), { message: bad });
    expect([answer.status, answer.body]).toEqual([400, { message: 'message type missing or invalid' }]);
  });

  it('that is missing lacks its type', async () => {
    const { id } = await newHook();
    const answer = await own.writer.post(`/v0/testDestination/${id}`, {});
    expect([answer.status, answer.body]).toEqual([400, { message: 'message type missing or invalid' }]);
  });

  it.each(['Identify', 'TRACK', 'merge', ' track', ''])(
    'of type %j is refused with 400: it is unsupported',
    async (type) => {
      const answer = await test(await newHook(), { message: { type } });
      expect([answer.status, answer.body]).toEqual([400, { message: 'message type is unsupported' }]);
    },
  );

  it('is checked before the destination is looked up', async () => {
    const answer = await own.writer.post(`/v0/testDestination/${UNKNOWN_ID}`, { message: { type: 'x' } });
    expect([answer.status, answer.body]).toEqual([400, { message: 'message type is unsupported' }]);
    expectRefusal(
      await own.writer.post(`/v0/testDestination/${UNKNOWN_ID}`, { message }),
      404,
      /destination not found/,
    );
    expectRefusal(await own.writer.post('/v0/testDestination/short', { message }), 404);
  });
});

describe('a bad stage or configuration is refused with 400 and its name', () => {
  const bad: [RegExp, object][] = [
    [/stage/, { stage: 'all' }],
    [/user_transform/, { stage: { user_transform: 'true' } }],
    [/send_to_destination/, { stage: { send_to_destination: 1 } }],
    [/destinationConfig/, { destinationConfig: 'none' }],
  ];
  it.each(bad)('%s: %j', async (about, body) => {
    expectRefusal(await test(await newHook(), body), 400, about);
  });
});

describe('what is disabled', () => {
  it('as a destination answers with its name and error alone, unless force is true', async () => {
    const destination = await newHook({ enabled: false });
    for (const query of [{}, { force: false }, { force: 'TRUE' }]) {
      const answer = await test(destination, { stage: ALL }, query);
      expect([answer.status, answer.body]).toEqual([
        200,
        {
          destinationId: destination.id,
          destinationName: destination.name,
          error: `Destination with id ${destination.id} is disabled`,
        },
      ]);
    }
    expectRefusal(await test(destination, { stage: ALL }, { force: 'yes' }), 400, /force/);
    expect(hook.requests).toEqual([]);
    const [data] = await dataOf(destination, { stage: ALL }, { force: true });
    expect(data.destination_response_status).toEqual([200]);
  });

  it('as a source answers 400 with a message, unless force is true', async () => {
    const source = await newSource(own.writer, { enabled: false });
    await connect(own.writer, source, await newHook());
    const path = `/v0/testSource/${source.id}`;
    const answer = await own.writer.post(path, { message });
    expect([answer.status, answer.body]).toEqual([400, { message: `Source with ${source.id} is disabled` }]);
    expect(made(await own.writer.post(path, { message }, { query: { force: true } }))).toHaveLength(1);
  });
});

describe('testSource', () => {
  it('behaves as testDestination for each connected destination, in order of connection', async () => {
    const source = await newSource(own.writer);
    const [plain, code, disabled] = [
      await newHook(),
      await transformed(marking('seen')),
      await newHook({ enabled: false }),
    ];
    for (const destination of [code, plain, disabled]) await connect(own.writer, source, destination);
    const path = `/v0/testSource/${source.id}`;
    const stage = { user_transform: true, dest_transform: true };
    const answers = made(await own.writer.post(path, { message, stage }));
    expect(answers).toEqual([
      made(await test(code, { stage })),
      made(await test(plain, { stage })),
      {
        destinationId: disabled.id,
        destinationName: disabled.name,
        error: `Destination with id ${disabled.id} is disabled`,
      },
    ]);
    const forced = made(await own.writer.post(path, { message, stage }, { query: { force: true } }));
    expect(forced[2]).toMatchObject({ destinationId: disabled.id, destination: 'WEBHOOK', data: [expect.anything()] });
  });

  it('delivers to each when it is asked to', async () => {
    const source = await newSource(own.writer);
    for (const path of ['one', 'two'])
      await connect(own.writer, source, await newWebhook(own.writer, `${hook.url}/${path}`));
    made(await own.writer.post(`/v0/testSource/${source.id}`, { message, stage: ALL }));
    expect(hook.requests.map(({ path }) => path).toSorted()).toEqual(['/one', '/two']);
  });

  it('ignores a destinationConfig', async () => {
    const source = await newSource(own.writer);
    await connect(own.writer, source, await newHook());
    const destinationConfig = { webhookUrl: `${hook.url}/elsewhere` };
    made(await own.writer.post(`/v0/testSource/${source.id}`, { message, stage: ALL, destinationConfig }));
    expect(hook.requests.map(({ path }) => path)).toEqual(['/hook']);
  });

  it('needs a connected destination; a disabled connection is none', async () => {
    const source = await newSource(own.writer);
    const path = `/v0/testSource/${source.id}`;
    const unconnected = { message: `Source with ${source.id} is not connected to any destination` };
    const before = await own.writer.post(path, { message });
    expect([before.status, before.body]).toEqual([400, unconnected]);
    await connect(own.writer, source, await newHook(), { enabled: false });
    expect((await own.writer.post(path, { message })).body).toEqual(unconnected);
    expect(made(await own.writer.post(path, { message }, { query: { force: true } }))).toHaveLength(1);
  });

  it('checks the message first, and answers 404 for an unknown source', async () => {
    const path = `/v0/testSource/${UNKNOWN_ID}`;
    expect((await own.writer.post(path, {})).body).toEqual({ message: 'message type missing or invalid' });
    expect((await own.writer.post(path, { message: { type: 'x' } })).body).toEqual({
      message: 'message type is unsupported',
    });
    expectRefusal(await own.writer.post(path, { message }), 404, /source not found/);
  });
});
