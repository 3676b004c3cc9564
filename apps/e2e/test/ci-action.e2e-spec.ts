import { beforeAll, describe, expect, it } from '@jest/globals';
import { newWorkspace, type Workspace } from './support/workspace.js';

interface CodeFile {
  name: string;
  code: string;
  testInput?: object[];
}

interface Listed {
  id: string;
  name: string;
  versionId: string;
  code: string;
}

const ORDER = { type: 'track', event: 'Order Completed', properties: { email: 'ada@example.com', revenue: 12 } };
const LIBRARY: CodeFile = { name: 'mask tools', code: "export const mask = () => '***';" };
const TRANSFORMATION: CodeFile = {
  name: 'mask people',
  code: `import { mask } from 'maskTools';
export function transformEvent(event) {
  log('masking', event.event);
  event.properties.email = mask();
  return event;
}`,
  testInput: [ORDER],
};

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

/** Published objects by name, which is all that a CI job knows of a workspace. */
async function published(kind: 'transformations' | 'libraries'): Promise<Map<string, Listed>> {
  const { body } = await own.writer.get(`/${kind}`);
  return new Map((body[kind] as Listed[]).map((item) => [item.name, item]));
}

/** Updates the published object with this name, or creates one. Always as a draft. */
async function upsert(kind: 'transformations' | 'libraries', { name, code }: CodeFile): Promise<Listed> {
  const known = (await published(kind)).get(name);
  const path = known ? `/${kind}/${known.id}` : `/${kind}`;
  const { status, body } = await own.writer.post(`${path}?publish=false`, {
    name,
    code,
    description: '',
    language: 'javascript',
  });
  expect(status).toBe(200);
  return body;
}

/** Runs the job over the files of a repository: list, create or update as drafts, test, publish. */
async function runAction(commitId: string, files: { transformation: CodeFile; library: CodeFile }) {
  const transformation = await upsert('transformations', files.transformation);
  const library = await upsert('libraries', files.library);
  const { testInput } = files.transformation;
  const items = {
    transformations: [{ versionId: transformation.versionId, ...(testInput && { testInput }) }],
    libraries: [{ versionId: library.versionId }],
  };
  const tested = await own.writer.post('/transformations/libraries/test', items);
  expect(tested.status).toBe(200);
  const { successTestResults, failedTestResults } = tested.body.result;
  if (failedTestResults.length > 0) return { transformation, library, failedTestResults };
  const answer = await own.writer.post('/transformations/libraries/publish', { ...items, commitId });
  return { transformation, library, successTestResults, failedTestResults, answer };
}

describe('a CI job that manages transformations', () => {
  it('creates, tests and publishes what is new, beside drafts of the same names that an earlier run left', async () => {
    for (const left of ['first', 'second']) {
      await own.writer.post('/transformations', { name: TRANSFORMATION.name, code: `// ${left}` });
      await own.writer.post('/libraries', { name: LIBRARY.name, code: `// ${left}` });
    }
    const run = await runAction('c0ffee1', { transformation: TRANSFORMATION, library: LIBRARY });
    expect(run.answer).toMatchObject({ status: 200, body: { published: true } });
    const shown = run.successTestResults.find(
      (result: { transformerVersionID?: string }) => result.transformerVersionID === run.transformation.versionId,
    );
    expect(shown.result.output).toEqual({
      transformedEvents: [{ ...ORDER, properties: { email: '***', revenue: 12 } }],
      logs: ['Log: masking Order Completed'],
    });
    expect((await published('transformations')).get(TRANSFORMATION.name)?.versionId).toBe(run.transformation.versionId);
    expect((await published('libraries')).get(LIBRARY.name)?.versionId).toBe(run.library.versionId);
  });

  it('finds them by name in the next run, and updates them', async () => {
    const before = (await published('transformations')).get(TRANSFORMATION.name);
    const library = { ...LIBRARY, code: "export const mask = () => 'hidden';" };
    const run = await runAction('c0ffee2', { transformation: TRANSFORMATION, library });
    expect(run.answer).toMatchObject({ status: 200, body: { published: true } });
    expect(run.transformation.id).toBe(before?.id);
    expect(run.transformation.versionId).not.toBe(before?.versionId);
    const names = [...(await published('transformations')).values()].map(({ name }) => name);
    expect(names).toEqual([TRANSFORMATION.name]);
    expect((await published('libraries')).get(LIBRARY.name)?.code).toBe(library.code);
  });

  it('stops at a test that fails, and what was live stays', async () => {
    const before = await published('transformations');
    const broken = { ...TRANSFORMATION, code: 'export function transformEvent(event) { return event.missing.part; }' };
    const { failedTestResults, transformation } = await runAction('bad', { transformation: broken, library: LIBRARY });
    expect(failedTestResults).toMatchObject([
      { id: transformation.id, name: broken.name, result: { error: expect.stringContaining('mask people:1') } },
    ]);
    expect(await published('transformations')).toEqual(before);
  });
});
