import { beforeAll, describe, expect, it } from '@jest/globals';
import { uniqueName } from '@weir/testing';
import { KEEP, newTransformation } from './support/code.js';
import { newWebhook } from './support/inventory.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

const DRAFT = { query: { status: 'draft' } };
const LIVE = { query: { publish: true } };

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

describe.each(['transformations', 'libraries'])('a draft among %s', (kind) => {
  const create = async (publish: boolean) =>
    made(await own.writer.post(`/${kind}`, { name: uniqueName('d'), code: KEEP }, { query: { publish } }));
  const listed = async (status?: string) => {
    const query = status === undefined ? {} : { status };
    const rows: { id: string }[] = made(await own.reader.get(`/${kind}`, { query }))[kind];
    return rows.map(({ id }) => id);
  };

  it('is found again without its id, read and deleted', async () => {
    const [live, draft] = [await create(true), await create(false)];
    expect([await listed(), await listed('published')]).toEqual([[live.id], [live.id]]);
    expect([await listed('draft'), await listed('all')]).toEqual([[draft.id], [live.id, draft.id]]);
    expect(made(await own.reader.get(`/${kind}/${draft.id}`, DRAFT))).toEqual(draft);
    expectRefusal(await own.reader.get(`/${kind}/${draft.id}`), 404, /it is a draft, so add status=draft/);

    expectRefusal(await own.writer.delete(`/${kind}/${draft.id}`), 404, /it is a draft, so add status=draft/);
    expect(made(await own.writer.delete(`/${kind}/${draft.id}`, DRAFT))).toEqual({ success: true });
    expectRefusal(await own.writer.delete(`/${kind}/${draft.id}`, DRAFT), 404, /not found$/);
    expect(await listed('all')).toEqual([live.id]);
  });

  it('is refused in a language that does not run', async () => {
    const body = { name: uniqueName('d'), code: 'x = 1', language: 'pythonfaas' };
    expectRefusal(await own.writer.post(`/${kind}`, body), 400, /language must be javascript/);
  });

  it('has one of three statuses', async () => {
    expectRefusal(await own.reader.get(`/${kind}`, { query: { status: 'live' } }), 400, /status/);
  });
});

it.each([
  ['transformations', 'export function transformEvent(event) {\n  return', /SyntaxError: .*\[masking:2:9\]/],
  ['libraries', 'export const cents =\n  = 1;', /SyntaxError: .*\[masking:2:3\]/],
])(
  'drafts among %s are kept unfinished and empty, and their publish is refused and says where',
  async (kind, code, where) => {
    const { id, versionId } = made(await own.writer.post(`/${kind}`, { name: 'masking', code }));
    const emptied = made(await own.writer.post(`/${kind}/${id}`, { code: '' }));
    expect(emptied.code).toBe('');
    for (const body of [{ [kind]: [{ versionId }] }, { [kind]: [emptied.versionId] }]) {
      const refused = await own.writer.post('/transformations/libraries/publish', body);
      expectRefusal(refused, 400, /^Tests failed: /, 'TESTS_FAILED');
      expect(refused.body).toMatchObject({ published: false, validationOutput: { [kind]: [{ pass: false }] } });
    }
    const answer = await own.writer.post('/transformations/libraries/publish', { [kind]: [versionId] });
    expectRefusal(answer, 400, where, 'TESTS_FAILED');
    expectRefusal(await own.writer.post(`/${kind}`, { name: 'blank', code: '' }), 400, /^code must not be empty$/);
    expectRefusal(await own.reader.get(`/${kind}/${id}`), 404, /it is a draft/);
  },
);

it('a publish takes its destinations from other transformations, says what it took, and refuses on request', async () => {
  const { id } = await newWebhook(own.writer, 'https://example.com/hook');
  const first = await newTransformation(own.writer, KEEP, { destinationIds: [id] });
  const body = { name: uniqueName('second'), code: KEEP, destinationIds: [id] };
  const taken = new RegExp(`^destination ${id} has the transformation ${first.name} .*replace=false`);
  const kept = { query: { ...LIVE.query, replace: false } };
  expectRefusal(await own.writer.post('/transformations', body, kept), 409, taken, 'CONFLICT');
  const second = made(await own.writer.post('/transformations', body, LIVE));
  const replaced = { destinationId: id, transformationId: first.id, name: first.name };
  expect(second).toMatchObject({ destinations: [id], replaced: [replaced] });
  expect(made(await own.reader.get(`/transformations/${first.id}`)).destinations).toEqual([]);

  const path = `/v2/destinations/${id}/transformation`;
  const put = made(await own.writer.put(path, { transformationId: first.id }));
  expect(put.replaced).toEqual({ destinationId: id, transformationId: second.id, name: second.name });
});
