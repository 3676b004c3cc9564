import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  DeleteTransformation,
  GetSavedTests,
  ListVersionDestinations,
  PublishRelease,
  RollbackTransformation,
  SAVED_TESTS_BYTES_MAX,
  SetSavedTests,
  TestRelease,
  UpdateLibrary,
  UpdateTransformation,
} from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

const BY = 'ada@example.com';
const MARK = 'export const transformEvent = (event) => ({ ...event, mark: 1 });';
const expectation = { name: 'marks', input: [{ n: 1 }], expectedOutput: [{ n: 1, mark: 1 }] };
const failing = (message: string) => ({ code: 'tests_failed', message: expect.stringContaining(message) });

describe('saved tests', () => {
  it('are kept for one transformation of one workspace, and replaced as a whole', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: false });
    const one = { ...who, id };
    expect(await send(GetSavedTests, one)).toEqual({ tests: [] });
    const saved = await send(SetSavedTests, { ...one, tests: [expectation], by: BY });
    expect(saved).toEqual({ tests: [expectation], updatedBy: BY, updatedAt: expect.any(String) });
    expect(await send(GetSavedTests, one)).toEqual(saved);
    expect(await send(SetSavedTests, { ...one, tests: [], by: BY })).toMatchObject({ tests: [] });
    const stranger = { ...newWorkspace(), id };
    expect(await refusal(send(GetSavedTests, stranger))).toMatchObject({ code: 'not_found' });
    expect(await refusal(send(SetSavedTests, { ...stranger, tests: [], by: BY }))).toMatchObject({ code: 'not_found' });
  });

  it('are bounded in bytes, and gone from view with their transformation', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: false });
    const long = { input: [{ text: 'x'.repeat(SAVED_TESTS_BYTES_MAX) }] };
    const error = await refusal(send(SetSavedTests, { ...who, id, tests: [long], by: BY }));
    expect(error).toMatchObject({ code: 'invalid', message: expect.stringContaining('bytes') });
    await send(DeleteTransformation, { ...who, id, status: 'draft' });
    expect(await refusal(send(GetSavedTests, { ...who, id }))).toMatchObject({ code: 'not_found' });
  });

  it('refuse a publish that breaks them, beside the tests of the request, and neither a draft nor a rollback', async () => {
    const who = newWorkspace();
    const first = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const one = { ...who, id: first.id };
    await send(UpdateTransformation, { ...one, code: MARK, publish: true });
    await send(SetSavedTests, { ...one, tests: [expectation], by: BY });

    const draft = await send(UpdateTransformation, { ...one, code: KEEP, publish: false, events: [{ n: 1 }] });
    const items = { transformations: [{ versionId: draft.versionId, testInput: [{ n: 2 }] }], libraries: [] };
    const { validationOutput } = await send(TestRelease, { ...who, items });
    const { results } = validationOutput.transformations[0]?.testResult ?? { results: [] };
    expect(results.map(({ name, status }) => [name, status])).toEqual([
      ['testInput', 'pass'],
      ['marks', 'fail'],
    ]);
    const notExpected = failing('the output is not the expected output');
    expect(await refusal(send(PublishRelease, { ...who, items }))).toMatchObject(notExpected);
    expect(await refusal(send(UpdateTransformation, { ...one, publish: true }))).toMatchObject(notExpected);
    expect(await send(RollbackTransformation, { ...one, versionId: first.versionId })).toMatchObject({ code: KEEP });
  });

  it('are replaced by the suite of a publish that saves them, at once with its code, or not at all', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, publish: true });
    const one = { ...who, id };
    const before = { name: 'keeps', input: [{ n: 1 }], expectedOutput: [{ n: 1 }] };
    await send(SetSavedTests, { ...one, tests: [before], by: BY });
    const { versionId } = await send(UpdateTransformation, { ...one, code: MARK, publish: false });
    const itemsOf = (testSuite: object[]) => ({
      transformations: [{ versionId, testSuite: testSuite as (typeof expectation)[], saveTests: true }],
      libraries: [],
    });

    const broken = { ...expectation, expectedOutput: [] };
    expect(await refusal(send(PublishRelease, { ...who, createdBy: BY, items: itemsOf([broken]) }))).toMatchObject(
      failing('the output is not the expected output'),
    );
    expect(await send(TestRelease, { ...who, items: itemsOf([expectation]) })).toMatchObject({ pass: true });
    expect(await send(GetSavedTests, one)).toMatchObject({ tests: [before] });

    const { validationOutput } = await send(PublishRelease, { ...who, createdBy: BY, items: itemsOf([expectation]) });
    expect(validationOutput.transformations[0]?.testResult.results).toMatchObject([{ name: 'marks', status: 'pass' }]);
    const saved = await send(GetSavedTests, one);
    expect(saved).toMatchObject({ tests: [expectation], updatedBy: BY });
    await send(PublishRelease, { ...who, createdBy: 'bob@example.com', items: itemsOf([expectation]) });
    expect(await send(GetSavedTests, one)).toEqual(saved);
    await send(PublishRelease, { ...who, createdBy: BY, items: itemsOf([]) });
    expect(await send(GetSavedTests, one)).toMatchObject({ tests: [] });
    const long = itemsOf([{ input: [{ text: 'x'.repeat(SAVED_TESTS_BYTES_MAX) }] }]);
    expect(await refusal(send(PublishRelease, { ...who, createdBy: BY, items: long }))).toMatchObject({
      code: 'invalid',
    });
  });

  it('of live code refuse a library that breaks them, and its samples show the blast radius', async () => {
    const who = newWorkspace();
    const library = await send(CreateLibrary, { ...who, name: 'tools', code: 'export const mark = 1;', publish: true });
    const code = 'import { mark } from "tools"; export const transformEvent = (event) => ({ ...event, mark });';
    const destinationIds = [newKsuid()];
    const using = await send(CreateTransformation, { ...who, name: 'T', code, destinationIds, publish: true });
    await send(CreateTransformation, { ...who, name: 'Other', code: KEEP, publish: true });
    await send(SetSavedTests, { ...who, id: using.id, tests: [expectation], by: BY });
    const draft = { ...who, id: library.id, code: 'export const mark = 2;', publish: false };
    const { versionId } = await send(UpdateLibrary, draft);

    const asked = { ...who, versionIds: [], libraryVersionIds: [versionId] };
    const dependents = [{ versionId: using.versionId, destinationIds }];
    expect(await send(ListVersionDestinations, asked)).toEqual({ versions: [], dependents });
    const stranger = { ...asked, ...newWorkspace() };
    expect(await send(ListVersionDestinations, stranger)).toEqual({ versions: [] });

    const items = {
      ...{ transformations: [], libraries: [{ versionId }] },
      dependents: [{ versionId: using.versionId, samples: [{ n: 7 }] }],
    };
    const { pass, validationOutput } = await send(TestRelease, { ...who, items });
    expect(pass).toBe(false);
    expect(validationOutput.transformations).toMatchObject([
      {
        ...{ id: using.id, pass: false },
        replay: {
          ...{ liveVersionId: using.versionId, samples: 1, changed: 1 },
          differences: [{ live: { outputs: [{ n: 7, mark: 1 }] }, next: { outputs: [{ n: 7, mark: 2 }] } }],
        },
      },
    ]);
    expect(await refusal(send(UpdateLibrary, { ...draft, publish: true }))).toMatchObject(failing('transformation T'));
  });
});
