import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Answer } from '@weir/testing';
import { KEEP, marking, newLibrary, newTransformation, THROW } from './support/code.js';
import { expectRefusal } from './support/matchers.js';
import { made, newWorkspace, UNKNOWN_ID, type Workspace } from './support/workspace.js';

const DRAFT = { publish: false };
/** Exports `f` for transformations to import. */
const LIBRARY = "export const f = () => 'first';";
const importing = (importName: string) =>
  `import { f } from '${importName}'; export function transformEvent(event) { event.f = f(); return event; }`;

let own: Workspace;
beforeAll(async () => {
  own = await newWorkspace();
});

const publish = (body: unknown, path = '/transformations/libraries/publish'): Promise<Answer> =>
  own.writer.post(path, body);
const draft = (code = KEEP) => newTransformation(own.writer, code, {}, DRAFT);
const libraryDraft = (code = LIBRARY) =>
  newLibrary(
    own.writer,
    code,
    {
      name: `lib ${Math.random()
        .toString(36)
        .replace(/[^a-z]/g, '')}`,
    },
    DRAFT,
  );
const liveVersion = async (kind: 'transformations' | 'libraries', { id }: { id: string }) =>
  (await own.reader.get(`/${kind}/${id}`)).body.versionId;

/** Expects a refusal by tests: nothing is published, and each failure is named (ruling 5). */
function expectFailedTests(answer: Answer, versionId: string, message: RegExp | string) {
  expectRefusal(answer, 400, /./, 'TESTS_FAILED');
  expect(answer.body).toMatchObject({ published: false, message: expect.any(String) });
  const { transformations, libraries } = answer.body.validationOutput;
  const failed = [...transformations, ...libraries].filter(({ pass }: { pass: boolean }) => !pass);
  expect(failed).toMatchObject([{ versionId, pass: false, message: expect.stringMatching(message) }]);
}

describe('publishing', () => {
  const paths = ['/transformations/libraries/publish', '/libraries/publish', '/transformations/publish'];
  it.each(paths)('a revision makes it live at %s', async (path) => {
    const { id, versionId } = await draft();
    const answer = await publish({ transformations: [{ versionId }], libraries: [] }, path);
    expect(made(answer)).toMatchObject({
      published: true,
      validationOutput: { transformations: [{ id, versionId, pass: true }], libraries: [] },
    });
    expect(await liveVersion('transformations', { id })).toBe(versionId);
  });

  it('says whether code keeps state, and names the line of the library that does', async () => {
    const keeping = await libraryDraft('const seen = new Map();\nexport const f = () => seen.set(1, 2).size;');
    const [stateless, importer] = [await draft(), await draft(importing(keeping.importName))];
    const transformations = [{ versionId: stateless.versionId }, { versionId: importer.versionId }];
    const answer = await publish({ transformations, libraries: [{ versionId: keeping.versionId }] });
    const warm = { id: stateless.id, runtime: 'warm' };
    const reason = `keeps state: library ${keeping.importName}, line 2, \`seen\``;
    const fresh = { id: importer.id, runtime: 'fresh', runtimeReason: reason };
    expect(made(answer).validationOutput.transformations).toMatchObject([warm, fresh]);
    expect(made(await own.reader.get(`/transformations/${stateless.id}`))).toMatchObject(warm);
    expect(made(await own.reader.get(`/transformations/${importer.id}`))).toMatchObject(fresh);
    const { transformations: listed } = made(await own.reader.get('/transformations'));
    expect(listed).toEqual(expect.arrayContaining([expect.objectContaining(warm), expect.objectContaining(fresh)]));
  });

  it('only libraries, only transformations, or both is allowed', async () => {
    const [library, transformation] = [await libraryDraft(), await draft()];
    made(await publish({ libraries: [{ versionId: library.versionId }] }));
    made(await publish({ transformations: [{ versionId: transformation.versionId }] }));
    const [other, another] = [await libraryDraft(), await draft()];
    const both = { libraries: [{ versionId: other.versionId }], transformations: [{ versionId: another.versionId }] };
    made(await publish(both));
    expect(await liveVersion('libraries', library)).toBe(library.versionId);
    expect(await liveVersion('transformations', transformation)).toBe(transformation.versionId);
    expect(await liveVersion('libraries', other)).toBe(other.versionId);
    expect(await liveVersion('transformations', another)).toBe(another.versionId);
  });

  it('an older revision again goes back to it', async () => {
    const first = await newTransformation(own.writer);
    const body = { code: marking('x') };
    const second = made(await own.writer.post(`/transformations/${first.id}`, body, { query: { publish: true } }));
    expect(await liveVersion('transformations', first)).toBe(second.versionId);
    made(await publish({ transformations: [{ versionId: first.versionId }] }));
    expect(made(await own.reader.get(`/transformations/${first.id}`))).toMatchObject({
      versionId: first.versionId,
      code: KEEP,
    });
    made(await publish({ transformations: [{ versionId: first.versionId }] }));
  });

  it('takes a revision of what was deleted back to life under its id', async () => {
    const { id, versionId } = await newTransformation(own.writer);
    made(await own.writer.delete(`/transformations/${id}`));
    made(await publish({ transformations: [{ versionId }] }));
    expect(await liveVersion('transformations', { id })).toBe(versionId);
  });

  it('takes testInput as a string of JSON and as a list, and bare version ids', async () => {
    const events = [{ messageId: 'm1' }, { messageId: 'm2' }];
    const { versionId } = await draft(marking('seen'));
    for (const testInput of [JSON.stringify(events), events]) {
      const answer = made(await publish({ transformations: [{ versionId, testInput }] }));
      const [{ testResult }] = answer.validationOutput.transformations;
      expect(testResult.status).toBe('pass');
      expect(testResult.results[0].actualOutput).toEqual(events.map((event) => ({ ...event, seen: true })));
    }
    made(await publish({ transformations: [versionId] }));
  });
});

describe('publishing is refused', () => {
  it('with the sentence that matters first, and failures that repeat counted', async () => {
    const { versionId } = await draft(THROW);
    const { text, body } = await publish({ transformations: [{ versionId }] });
    expect(text).toMatch(/^\{"message":"Tests failed: transformation .* boom/);
    const [{ testResult }] = body.validationOutput.transformations;
    expect(testResult.results[0].errors).toMatchObject([{ count: 6, eventIndex: 0 }]);
    expect(testResult.results[0].events).toMatchObject([{ outcome: 'failed', count: 6 }]);
  });

  it('with 400 for code that raises an exception, with what failed', async () => {
    const { id, versionId } = await draft(THROW);
    expectFailedTests(await publish({ transformations: [{ versionId }] }), versionId, /boom/);
    expectRefusal(await own.reader.get(`/transformations/${id}`), 404);
  });

  it('with 400 for code that raises one with the testInput only', async () => {
    const code = 'export function transformEvent(event) { return { id: event.order.id }; }';
    const safe =
      "export function transformEvent(event) { if (event.type === 'mine') throw new Error('mine'); return event; }";
    const [needy, picky] = [await draft(code), await draft(safe)];
    const item = (versionId: string, events: object[]) => ({ versionId, testInput: JSON.stringify(events) });
    expect((await publish({ transformations: [{ versionId: needy.versionId }] })).status).toBe(400);
    made(await publish({ transformations: [item(needy.versionId, [{ order: { id: 1 } }])] }));
    const answer = await publish({ transformations: [item(picky.versionId, [{ type: 'mine' }])] });
    expectFailedTests(answer, picky.versionId, /mine/);
    made(await publish({ transformations: [{ versionId: picky.versionId }] }));
  });

  it('as a whole: nothing of it is published', async () => {
    const [good, bad, library] = [await draft(), await draft(THROW), await libraryDraft()];
    const body = {
      transformations: [{ versionId: good.versionId }, { versionId: bad.versionId }],
      libraries: [{ versionId: library.versionId }],
    };
    expectFailedTests(await publish(body), bad.versionId, /boom/);
    expectRefusal(await own.reader.get(`/transformations/${good.id}`), 404);
    expectRefusal(await own.reader.get(`/libraries/${library.id}`), 404);
  });

  it('with 200 and published: false at /transformations/publish', async () => {
    const { id, versionId } = await draft(THROW);
    const answer = made(await publish({ transformations: [{ versionId }] }, '/transformations/publish'));
    expect(answer).toMatchObject({
      published: false,
      validationOutput: { transformations: [{ versionId, pass: false, testResult: { status: 'error' } }] },
    });
    expectRefusal(await own.reader.get(`/transformations/${id}`), 404);
  });

  it('with 404 for an unknown version, or one of the other kind', async () => {
    const [transformation, library] = [await draft(), await libraryDraft()];
    for (const versionId of [UNKNOWN_ID, 'short', library.versionId]) {
      expectRefusal(await publish({ transformations: [{ versionId }] }), 404, /version .*not found/);
    }
    expectRefusal(await publish({ libraries: [{ versionId: transformation.versionId }] }), 404, /version .*not found/);
  });

  const bad: [string, RegExp, unknown][] = [
    ['neither list', /transformations/, {}],
    ['two empty lists', /transformations/, { transformations: [], libraries: [] }],
    ['a list that is none', /transformations/, { transformations: {} }],
    ['an entry without versionId', /versionId/, { transformations: [{}] }],
    ['a testInput that is no JSON', /testInput/, { transformations: [{ versionId: UNKNOWN_ID, testInput: '[{' }] }],
    ['a testInput that is no list', /testInput/, { transformations: [{ versionId: UNKNOWN_ID, testInput: '{}' }] }],
    ['an empty testInput', /testInput/, { transformations: [{ versionId: UNKNOWN_ID, testInput: '' }] }],
    ['a testInput of texts', /testInput/, { transformations: [{ versionId: UNKNOWN_ID, testInput: '["e"]' }] }],
  ];
  it.each(bad)('with 400 for %s', async (_, about, body) => {
    expectRefusal(await publish(body), 400, about);
  });
});

describe('libraries', () => {
  it('are resolved to the revisions of the same publish first', async () => {
    const library = await libraryDraft();
    const transformation = await draft(importing(library.importName));
    expect((await publish({ transformations: [{ versionId: transformation.versionId }] })).status).toBe(400);
    const body = {
      libraries: [{ versionId: library.versionId }],
      transformations: [{ versionId: transformation.versionId, testInput: [{}] }],
    };
    const { validationOutput } = made(await publish(body));
    expect(validationOutput.transformations[0].testResult.results[0].actualOutput).toEqual([{ f: 'first' }]);
  });

  it('are not published when a published transformation would break, which is named', async () => {
    const library = await libraryDraft();
    made(await publish({ libraries: [{ versionId: library.versionId }] }));
    const transformation = await newTransformation(own.writer, importing(library.importName));
    const next = made(await own.writer.post(`/libraries/${library.id}`, { code: 'export const g = 1;' }));
    const answer = await publish({ libraries: [{ versionId: next.versionId }] });
    expectFailedTests(answer, transformation.versionId, /./);
    expect(await liveVersion('libraries', library)).toBe(library.versionId);
  });

  it('cannot be two with one import name', async () => {
    const name = `twin ${Math.random()
      .toString(36)
      .replace(/[^a-z]/g, '')}`;
    const [one, two] = [
      await newLibrary(own.writer, LIBRARY, { name }, DRAFT),
      await newLibrary(own.writer, LIBRARY, { name }, DRAFT),
    ];
    made(await publish({ libraries: [{ versionId: one.versionId }] }));
    const answer = await publish({ libraries: [{ versionId: two.versionId }] });
    expectRefusal(answer, 409, /same import name/);
    expect(await liveVersion('libraries', one)).toBe(one.versionId);
  });
});

describe('user code', () => {
  const outputOf = async (code: string, events: object[]) => {
    const { versionId } = await draft(code);
    const answer = made(
      await own.writer.post('/transformations/tests/run', { transformations: [{ versionId, testInput: events }] }),
    );
    return answer.validationOutput.transformations[0].testResult.results[0];
  };
  const byEvent = (body: string) => `export function transformEvent(event, metadata) { ${body} }`;

  it('may change, drop and multiply events', async () => {
    const code = byEvent(
      'if (event.n === 1) return null; if (event.n === 2) return [{ a: 1 }, { a: 2 }]; event.kept = true; return event;',
    );
    const { status, actualOutput } = await outputOf(code, [{ n: 1 }, { n: 2 }, { n: 3 }]);
    expect([status, actualOutput]).toEqual(['pass', [{ a: 1 }, { a: 2 }, { n: 3, kept: true }]]);
  });

  it('may take the whole batch', async () => {
    const code = 'export function transformBatch(events, metadata) { return events.filter((event) => event.keep); }';
    const { actualOutput } = await outputOf(code, [{ keep: true, n: 1 }, { n: 2 }, { keep: true, n: 3 }]);
    expect(actualOutput.map(({ n }: { n: number }) => n)).toEqual([1, 3]);
  });

  it.each(["return 'text';", 'return 7;', "return ['text'];"])(
    'that answers %s is that event alone in error',
    async (bad) => {
      const result = await outputOf(byEvent(`if (event.bad) { ${bad} } return event;`), [
        { n: 1 },
        { bad: 1 },
        { n: 3 },
      ]);
      expect(result.status).toBe('error');
      expect(result.errors).toMatchObject([{ eventIndex: 1, message: expect.stringMatching(/not an object/) }]);
      expect(result.actualOutput).toEqual(expect.arrayContaining([{ n: 1 }, { n: 3 }]));
    },
  );

  it('that never ends, or takes all memory, fails its test', async () => {
    const endless = await outputOf(byEvent('while (true) {}'), [{}]);
    expect(endless.errors[0].message).toMatch(/time|ms|limit/i);
    // In pieces that take memory fastest, so that it ends before time does on a busy machine, too.
    const hungry = await outputOf(byEvent('const a = []; while (true) a.push(new Array(1e6).fill(1));'), [{}]);
    expect(hungry.errors[0].message).toMatch(/memory/i);
  });

  it('has neither files, processes nor environment', async () => {
    const names = '[typeof process, typeof require, typeof Buffer, typeof setTimeout]';
    const { actualOutput } = await outputOf(byEvent(`return { names: ${names} };`), [{}]);
    expect(new Set(actualOutput[0].names)).toEqual(new Set(['undefined']));
  });
});

describe('tests without publishing', () => {
  it('run at /transformations/libraries/test, with failures in the answer', async () => {
    const [good, bad] = [await draft(marking('ok')), await draft(THROW)];
    const transformations = [{ versionId: good.versionId, testInput: [{ n: 1 }] }, { versionId: bad.versionId }];
    const { result } = made(await publish({ transformations, libraries: [] }, '/transformations/libraries/test'));
    expect(result.successTestResults).toMatchObject([
      { transformerVersionID: good.versionId, result: { output: { transformedEvents: [{ n: 1, ok: true }] } } },
    ]);
    expect(result.failedTestResults).toMatchObject([
      { name: bad.name, result: { error: expect.stringContaining('boom') } },
    ]);
    expectRefusal(await own.reader.get(`/transformations/${good.id}`), 404);
  });

  it('compare with an expected output at /transformations/tests/run', async () => {
    const { versionId } = await draft(marking('ok'));
    const testCase = (name: string, expectedOutput: object[]) => ({
      id: name,
      name,
      input: [{ n: 1 }],
      expectedOutput,
    });
    const testSuite = [testCase('right', [{ n: 1, ok: true }]), testCase('wrong', [{ n: 2 }])];
    const answer = made(await publish({ transformations: [{ versionId, testSuite }] }, '/transformations/tests/run'));
    expect(answer).toMatchObject({ pass: false, message: expect.any(String) });
    const statuses = answer.validationOutput.transformations[0].testResult.results;
    expect(statuses.map(({ name, status }: Record<string, string>) => [name, status])).toEqual([
      ['right', 'pass'],
      ['wrong', 'fail'],
    ]);
  });
});
