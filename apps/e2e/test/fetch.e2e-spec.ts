import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName, until } from '@weir/testing';
import { newTransformation } from './support/code.js';
import { delivered, eventsAt, useHook } from './support/hook.js';
import { connect, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, operator, UNKNOWN_ID, type Workspace } from './support/workspace.js';

const hook = useHook();
let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const allow = (id: string, allowFetch: boolean) => operator().patch(`/admin/workspaces/${id}`, { allowFetch });

/** User code that calls the hook and writes the result into the event. */
const asking = () => `export async function transformEvent(event) {
  const { status } = await fetchV2("${hook.url}/rates").catch(({ message }) => ({ status: message }));
  return { ...event, asked: status };
}`;
const REFUSED = 'blocked request to non-public address: 127.0.0.1';

describe('fetch of user code', () => {
  it('reaches nothing until the operator allows it, in tests, at the Test API and live', async () => {
    const [source, destination] = [await newSource(own.writer), await newWebhook(own.writer, `${hook.url}/live`)];
    await connect(own.writer, source, destination);
    const code = asking();
    const { id, versionId } = await newTransformation(own.writer, code, { destinationIds: [destination.id] });
    const transformations = [{ versionId, testInput: [{ type: 'track', event: 'Bought' }] }];
    const tested = async () => {
      const { validationOutput } = made(await own.writer.post('/transformations/tests/run', { transformations }));
      const [{ actualOutput, fetches }] = validationOutput.transformations[0].testResult.results;
      return { asked: actualOutput[0].asked, fetches };
    };
    const tried = async () => {
      const body = { message: { type: 'track', event: 'Bought' }, stage: { user_transform: true } };
      const { data } = made(await own.writer.post(`/v0/testDestination/${destination.id}`, body));
      return data[0].user_transformed_payload.asked;
    };
    const live = async () => {
      const messageId = uniqueName('event');
      await sendEvent(source, 'track', { userId: 'ada', event: 'Bought', messageId });
      return (await delivered(hook, '/live', messageId)).json['asked'];
    };

    await until('the transformation', async () => (await live()) === REFUSED);
    expect([await tested(), await tried()]).toEqual([{ asked: REFUSED }, REFUSED]);
    expect(eventsAt(hook, '/rates')).toEqual([]);

    expect(made(await allow(own.id, true)).workspace).toMatchObject({ id: own.id, allowFetch: true });
    const call = { method: 'GET', url: `${hook.url}/rates`, status: 200, milliseconds: expect.any(Number) };
    expect([await tested(), await tried()]).toEqual([{ asked: 200, fetches: [call] }, 200]);
    await until('fetch to be live', async () => (await live()) === 200);

    await allow(own.id, false);
    expect(await tested()).toEqual({ asked: REFUSED });
    await until('the end of fetch', async () => (await live()) === REFUSED);
    made(await own.writer.delete(`/transformations/${id}`));
  });

  it('is only for the operator to allow, of a workspace that is there', async () => {
    expectRefusal(await own.admin.patch(`/admin/workspaces/${own.id}`, { allowFetch: true }), 401);
    expectRefusal(await allow(UNKNOWN_ID, true), 404, /workspace not found/);
    expect(made(await own.reader.get('/v2/workspace')).workspace).toMatchObject({ allowFetch: false });
  });
});
