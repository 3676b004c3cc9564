import { describe, expect, it } from '@jest/globals';
import { dropped, failed, ok, track, useSandbox } from './support/sandbox.js';

const BAD = track('m2', { bad: true });
const EVENTS = [track('m1'), BAD, track('m3')];
const NOT_AN_OBJECT = 'returned event from transformEvent(event) is not an object';
const ELEMENT = 'returned event in events array from transformEvent(event) is not an object';

describe('what transformEvent returns', () => {
  const sandbox = useSandbox();
  const returning = (expression: string) =>
    sandbox.results({ code: `export const transformEvent = (e) => (e.bad ? ${expression} : e);`, events: EVENTS });

  it.each(['null', 'undefined', '[]', 'Promise.resolve(null)'])('%s drops the event', async (expression) => {
    expect(await returning(expression)).toEqual([ok(track('m1')), dropped, ok(track('m3'))]);
  });

  it.each([
    ['[e, { ...e, copy: true }]', [BAD, { ...BAD, copy: true }]],
    ['Promise.resolve([{ a: 1 }])', [{ a: 1 }]],
    ['{}', [{}]],
    ['Object.freeze({ a: 1 })', [{ a: 1 }]],
    ['Object.assign(Object.create(null), { a: 1 })', [{ a: 1 }]],
    ['new (class E { constructor() { this.a = 1; } b() {} })()', [{ a: 1 }]],
    ['new Proxy({ a: 1 }, {})', [{ a: 1 }]],
    ['{ get a() { return 1; } }', [{ a: 1 }]],
    [
      '{ a: undefined, b: NaN, c: Infinity, d: new Date(0), e: () => 1, f: Symbol("s") }',
      [{ b: null, c: null, d: '1970-01-01T00:00:00.000Z' }],
    ],
    ['{ toJSON: () => ({ a: 1 }) }', [{ a: 1 }]],
    ['JSON.parse(\'{"__proto__": {"a": 1}}\')', [JSON.parse('{"__proto__": {"a": 1}}')]],
  ])('%s comes out', async (expression, outputs) => {
    expect(await returning(expression)).toEqual([ok(track('m1')), ok(...outputs), ok(track('m3'))]);
  });

  it.each([
    ['"text"', NOT_AN_OBJECT],
    ['""', NOT_AN_OBJECT],
    ['0', NOT_AN_OBJECT],
    ['false', NOT_AN_OBJECT],
    ['10n', NOT_AN_OBJECT],
    ['() => e', NOT_AN_OBJECT],
    ['new Date(0)', NOT_AN_OBJECT],
    ['new Map([[1, 2]])', NOT_AN_OBJECT],
    ['{ toJSON: () => "text" }', NOT_AN_OBJECT],
    ['{ toJSON: () => undefined }', NOT_AN_OBJECT],
    ['[e, 7]', ELEMENT],
    ['[null]', ELEMENT],
    ['[[e]]', ELEMENT],
    ['{ a: 10n }', expect.stringMatching(/^TypeError: Do not know how to serialize a BigInt/)],
    ['(e.self = e)', expect.stringMatching(/^TypeError: Converting circular structure to JSON/)],
    ['{ get a() { throw new Error("getter"); } }', expect.stringMatching(/^Error: getter/)],
    ['new Proxy({}, { ownKeys() { throw new Error("trap"); } })', expect.stringMatching(/^Error: trap/)],
    ['{ toJSON() { throw new Error("json"); } }', expect.stringMatching(/^Error: json/)],
  ])('%s fails its own event only', async (expression, message) => {
    expect(await returning(expression)).toEqual([ok(track('m1')), failed(message), ok(track('m3'))]);
  });

  it('comes in input order, whatever ends first', async () => {
    const code = 'export async function transformEvent(e) { for (let i = e.n; i < 50; i += 1) await null; return e; }';
    const events = [1, 49, 25, 2].map((n) => ({ n }));
    expect(await sandbox.results({ code, events })).toEqual(events.map((event) => ok(event)));
  });
});

describe('what transformBatch returns', () => {
  const sandbox = useSandbox();
  const returning = (expression: string, events = EVENTS, mode: 'live' | 'test' = 'live') =>
    sandbox.run({ code: `export const transformBatch = (events) => ${expression};`, events, mode });

  it('goes to the inputs by messageId; what is missing was dropped', async () => {
    const { results } = await returning('[{ messageId: "m3" }, { messageId: "m1" }, { messageId: "m3", again: true }]');
    expect(results).toEqual([
      ok({ messageId: 'm1' }),
      dropped,
      ok({ messageId: 'm3' }, { messageId: 'm3', again: true }),
    ]);
  });

  it.each([
    ['after all', '[...events, NEW]', [[1], [2], [3, 0]]],
    ['before all', '[NEW, ...events]', [[0, 1], [2], [3]]],
    ['in between', '[events[0], NEW, NEW, events[1], events[2]]', [[1, 0, 0], [2], [3]]],
    ['behind the event that it follows, wherever that goes', '[events[2], NEW, events[0]]', [[1], [], [3, 0]]],
    ['behind an event that fails', '[events[0], { ...events[1], n: 1n }, events[2], NEW]', [[1], 'error', [3, 0]]],
  ])('keeps a new event in its place: %s', async (_what, expression, expected) => {
    const names = { 0: { event: 'sum' }, 1: track('m1'), 2: BAD, 3: track('m3') } as const;
    const { results } = await returning(expression.replaceAll('NEW', '{ event: "sum" }'));
    const outcome = (each: unknown) =>
      Array.isArray(each) && each.length > 0 ? ok(...each.map((at: 0 | 1 | 2 | 3) => names[at])) : dropped;
    expect(results).toEqual(expected.map((each) => (each === 'error' ? failed(expect.any(String)) : outcome(each))));
  });

  it('goes to the first input when it names none of them', async () => {
    const { results } = await returning('[{ sum: 3 }, { messageId: "new" }]');
    expect(results).toEqual([ok({ sum: 3 }, { messageId: 'new' }), dropped, dropped]);
  });

  it('keeps events of one messageId apart', async () => {
    const twice = [track('same', { n: 1 }), track('same', { n: 2 })];
    const { results } = await returning('events.map((e) => ({ ...e }))', twice);
    expect(results).toEqual(twice.map((event) => ok(event)));
    expect((await returning('[events[1]]', twice)).results).toEqual([dropped, ok(twice[1] ?? {})]);
  });

  it.each(['null', 'undefined', '{}', '"text"'])('%s fails every event', async (expression) => {
    const error = failed('returned events from transformBatch(event) is not an array');
    expect((await returning(expression)).results).toEqual([error, error, error]);
  });

  it('loses no bad element and no good one', async () => {
    const { results, strayErrors } = await returning('[events[0], null, 5, "s", { ...events[0], big: 1n }]');
    const error = failed('returned event in events array from transformBatch(events) is not an object');
    expect(results).toEqual([ok(track('m1')), error, error]);
    expect(strayErrors?.map(({ message }) => message)).toEqual([
      'returned event in events array from transformBatch(events) is not an object',
      expect.stringMatching(/BigInt/),
    ]);
  });
});

describe('errors of elements that transformBatch returned and that belong to no input', () => {
  const sandbox = useSandbox();
  /** Returns names of outputs and errors as a test shows them, and those of each input. */
  const shown = async (expression: string) => {
    const code = `export const transformBatch = ([a, b, c]) => ${expression};`;
    const events = ['a', 'b', 'c'].map((messageId) => ({ messageId }));
    const { results, strayErrors = [] } = await sandbox.run({ code, events, mode: 'test' });
    const own = results.flatMap((result) => (result.status === 'ok' ? result.outputs.map(nameOf) : []));
    const placed = [...results, ...strayErrors].flatMap((each) => ('position' in each ? [each.position] : []));
    const isOwn = results.map((result) => result.status === 'error' && result.position === undefined);
    return { inputs: results.map(({ status }) => status), own: own.join(''), placed, isOwn: isOwn.includes(true) };
  };
  const nameOf = (output: object) => ('messageId' in output ? output.messageId : '+');

  it.each([
    ['[null, a, b, c]', ['ok', 'ok', 'ok'], 'abc', [0]],
    ['[a, null, b, c]', ['ok', 'ok', 'ok'], 'abc', [1]],
    ['[a, b, c, null]', ['ok', 'ok', 'ok'], 'abc', [3]],
    ['[null, 5, a, b, "x", c]', ['ok', 'ok', 'ok'], 'abc', [0, 0, 2]],
    ['[null, b, c]', ['error', 'ok', 'ok'], 'bc', [0]],
    ['[null, a, c]', ['ok', 'error', 'ok'], 'ac', [0]],
    ['[a, null, {}, c]', ['ok', 'error', 'ok'], 'a+c', [1]],
    ['[c, null, a]', ['ok', 'error', 'ok'], 'ac', [2]],
    ['[null, null, null, null]', ['error', 'error', 'error'], '', [0, 0, 0, 0]],
    ['[a, { ...a, n: 1n }, b, c]', ['ok', 'ok', 'ok'], 'abc', [1]],
  ])('%s', async (expression, inputs, own, placed) => {
    expect(await shown(expression)).toEqual({ inputs, own, placed, isOwn: false });
  });

  it('leave its place to the error of an input itself, and count it', async () => {
    const told = { inputs: ['error', 'error', 'ok'], own: 'c', isOwn: true };
    expect(await shown('[null, { ...a, n: 1n }, c]')).toEqual({ ...told, placed: [0] });
    expect(await shown('[{ ...a, n: 1n }, null, c]')).toEqual({ ...told, placed: [1] });
  });

  it('have no position in live runs', async () => {
    const code = 'export const transformBatch = ([a, b, c]) => [null, a, null, b];';
    const { results, strayErrors } = await sandbox.run({ code, events: EVENTS });
    expect([...results, ...(strayErrors ?? [])].filter((each) => 'position' in each)).toEqual([]);
  });
});

describe('metadata(event)', () => {
  const sandbox = useSandbox();
  const metadata = [{ sourceId: 's1' }, { sourceId: 's2' }];

  it.each([
    ['the event', 'metadata(e)', ['s1', 's2']],
    ['a copy of it', 'metadata({ ...e })', ['s1', 's2']],
    ['the event with another messageId', '(e.messageId = "x", metadata(e))', ['s1', 's2']],
    ['an unknown event', 'metadata({ messageId: "nope" })', [undefined, undefined]],
    ['no event', 'metadata()', [undefined, undefined]],
  ])('of %s', async (_what, expression, sources) => {
    const code = `export const transformEvent = (e, metadata) => ({ source: ${expression}.sourceId });`;
    const results = await sandbox.results({ code, metadata, events: [track('m1'), track('m2')] });
    expect(results).toEqual(sources.map((source) => ok(source === undefined ? {} : { source })));
  });

  it('knows events of one messageId, or none, apart', async () => {
    const code = 'export const transformEvent = (e, metadata) => ({ source: metadata(e).sourceId });';
    const expected = [ok({ source: 's1' }), ok({ source: 's2' })];
    expect(await sandbox.results({ code, metadata, events: [track('same'), track('same')] })).toEqual(expected);
    expect(await sandbox.results({ code, metadata, events: [{}, {}] })).toEqual(expected);
  });

  it('is a copy', async () => {
    const code = 'export const transformEvent = (e, metadata) => { metadata(e).sourceId = "x"; return metadata(e); };';
    expect(await sandbox.results({ code, metadata })).toEqual([ok({ sourceId: 's1' })]);
  });
});
