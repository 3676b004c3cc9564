import { describe, expect, it } from '@jest/globals';
import {
  CreateLibrary,
  CreateTransformation,
  ListTransformations,
  ListTransformationVersions,
  PublishRelease,
  TestRelease,
  type Transformation,
  UpdateTransformation,
} from '@weir/contracts';
import { KEEP, newWorkspace, refusal, useRegistry } from './registry.js';

const { send } = useRegistry();

/** Valid code of about this many bytes. */
const codeOf = (bytes: number, code = KEEP) => `${code} // ${'x'.repeat(bytes)}`;

describe('lists that do not fit one message', () => {
  it('come page by page, complete and in order', async () => {
    const who = newWorkspace();
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    for (const name of names) await send(CreateTransformation, { ...who, name, code: codeOf(240_000), publish: true });
    const found: Transformation[] = [];
    let pages = 0;
    for (let after: string | undefined, more = true; more; pages += 1) {
      const { transformations, next } = await send(ListTransformations, { ...who, ...(after && { after }) });
      found.push(...transformations);
      after = next;
      more = next !== undefined;
    }
    expect(found.map(({ name }) => name)).toEqual(names);
    expect(pages).toBe(2);
  });

  it('of versions stop at the count over all pages', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: '0', code: codeOf(240_000), publish: false });
    for (let n = 1; n < 8; n += 1) await send(UpdateTransformation, { ...who, id, name: String(n), publish: false });
    const listing = { ...who, id, count: 6, orderBy: 'DESC' as const };
    const first = await send(ListTransformationVersions, listing);
    const second = await send(ListTransformationVersions, { ...listing, after: first.next });
    expect([...first.versions, ...second.versions].map(({ name }) => name)).toEqual(['7', '6', '5', '4', '3', '2']);
    expect(second.next).toBeUndefined();
    expect((await refusal(send(ListTransformationVersions, { ...listing, after: 'x' }))).code).toBe('invalid');
  });
});

describe('tests that do not fit one message', () => {
  it('run in parts, events and results alike', async () => {
    const who = newWorkspace();
    const grow = 'export const transformEvent = (e) => ({ n: e.n, text: "y".repeat(150000) });';
    const { versionId } = await send(CreateTransformation, {
      ...who,
      name: 'T',
      code: codeOf(200_000, grow),
      publish: false,
    });
    const testInput = Array.from({ length: 9 }, (_, n) => ({ n, text: 'x'.repeat(100_000) }));
    const items = { transformations: [{ versionId, testInput }], libraries: [] };
    const { pass, validationOutput } = await send(TestRelease, { ...who, items });
    expect(pass).toBe(true);
    // 9 * 150 kB do not fit the answer: the verdict stays and the output is left out
    expect(validationOutput.transformations[0]?.testResult.results).toMatchObject([
      { status: 'pass', actualOutput: [], errors: [{ message: expect.stringContaining('too large to show') }] },
    ]);
    expect((await send(PublishRelease, { ...who, items })).published).toBe(true);
  });
});

describe('code with its libraries', () => {
  it('is refused beyond what travels beside an event', async () => {
    const who = newWorkspace();
    const library = { ...who, code: codeOf(250_000, 'export const a = 1;'), publish: true };
    await send(CreateLibrary, { ...library, name: 'one' });
    await send(CreateLibrary, { ...library, name: 'two' });
    const imports = 'import "one"; import "two"; ';
    const error = await refusal(send(CreateTransformation, { ...who, name: 'T', code: imports + KEEP, publish: true }));
    expect(error).toMatchObject({ code: 'too_large', message: expect.stringContaining('T with the libraries') });
  });
});

describe('fields', () => {
  it.each([
    ['name', { name: ' ' }],
    ['code', { code: '' }],
    ['description', { description: '\u0000' }],
    ['language', { language: 'cobol' }],
    ['externalId', { externalId: 'x'.repeat(300) }],
  ])('refuse a bad %s by name', async (field, bad) => {
    const who = newWorkspace();
    const create = { ...who, name: 'T', code: KEEP, publish: true, ...bad };
    expect(await refusal(send(CreateTransformation, create))).toMatchObject({
      code: 'invalid',
      details: { [field]: expect.any(String) },
    });
    expect(await send(ListTransformations, who)).toEqual({ transformations: [] });
  });
});

describe('drafts', () => {
  it('run when they come with events, and are not stored when they fail', async () => {
    const who = newWorkspace();
    const code = 'export function transformEvent(event) { return { price: event.price.toFixed(2) }; }';
    const draft = { ...who, name: 'T', code, publish: false };
    const { id } = await send(CreateTransformation, { ...draft, events: [{ price: 1 }] });
    expect((await refusal(send(CreateTransformation, { ...draft, events: [{}] }))).code).toBe('tests_failed');
    const update = { ...who, id, name: 'U', events: [{ price: '1' }], publish: false };
    expect((await refusal(send(UpdateTransformation, update))).code).toBe('tests_failed');
    const { versions } = await send(ListTransformationVersions, { ...who, id, count: 5, orderBy: 'ASC' });
    expect(versions.map(({ name }) => name)).toEqual(['T']);
  });

  it('keep what an update leaves out, and clear what it empties', async () => {
    const who = newWorkspace();
    const { id } = await send(CreateTransformation, { ...who, name: 'T', code: KEEP, description: 'd', publish: true });
    const kept = await send(UpdateTransformation, { ...who, id, name: 'U', publish: false });
    expect(kept).toMatchObject({ name: 'U', description: 'd', code: KEEP });
    expect(await send(UpdateTransformation, { ...who, id, description: '', publish: true })).toMatchObject({
      name: 'U',
      description: '',
    });
  });
});
