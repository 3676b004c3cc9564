import { describe, expect, it } from '@jest/globals';
import { groupsOf, readGroup } from './outcome.js';

const ok = { status: 'ok', outputs: [{ a: 1 }] };
const group = (...results: unknown[]) => ({ results, strays: [] });
const textOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const read = (value: unknown, events: number) => {
  const outcome = readGroup(textOf(value), events);
  if (outcome === undefined || outcome === 'too large') return outcome;
  const results = outcome.results.map((result) => (Buffer.isBuffer(result) ? JSON.parse(result.toString()) : result));
  return { ...outcome, results };
};

describe('groupsOf', () => {
  const groups = (text: string) => [...groupsOf(Buffer.from(text))].map(String);

  it('cuts apart what belongs to each caller', () => {
    expect(groups(JSON.stringify({ groups: [group(ok), null] }))).toEqual([JSON.stringify(group(ok)), 'null']);
  });

  it.each([
    ['no JSON', 'x', []],
    ['nothing', '', []],
    ['no list', '{"groups":{"a":1}}', []],
    ['a group that is cut off', '{"groups":[null,{"results":[', ['null']],
  ])('ends where it is not as agreed: %s', (_what, text, found) => expect(groups(text)).toEqual(found));
});

describe('readGroup', () => {
  it('leaves good results and errors as they are', () => {
    const told = { message: 'Error: x\n    at transformEvent (a:1:2)', frame: { file: 'a', line: 1, column: 2 } };
    const error = { status: 'error', error: told, milliseconds: 3 };
    expect(read(group({ ...ok, milliseconds: 2 }, { status: 'dropped' }, error), 3)).toEqual({
      results: [{ ...ok, milliseconds: 2 }, { status: 'dropped' }, error],
      strays: [],
      isLoose: false,
    });
  });

  it('knows what did not come to an end, and what the run was ended for', () => {
    expect(read(group(null, { status: 'stopped' }), 2)).toMatchObject({ results: [undefined, 'stopped'] });
  });

  it('tells errors that belong to no event, as many as are agreed', () => {
    const strays = (count: number) => ({ results: [ok], strays: Array(count).fill({ message: 'Error' }) });
    expect(read(strays(100), 1)).toMatchObject({ strays: Array(100).fill({ message: 'Error' }) });
    expect(read(strays(101), 1)).toBeUndefined();
  });

  it('takes an event without outputs as dropped', () => {
    expect(read(group({ status: 'ok', outputs: [] }), 1)).toMatchObject({ results: [{ status: 'dropped' }] });
  });

  it('counts levels of nesting, however many', () => {
    const nested = (levels: number) => `{"status":"ok","outputs":[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]}`;
    const text = `{"results":[${[200, 201, 100_000].map(nested).join()}],"strays":[]}`;
    const outcome = readGroup(Buffer.from(text), 3);
    const statuses = outcome !== undefined && outcome !== 'too large' && outcome.results.map((each) => String(each));
    const tooDeep = '{"status":"error","error":{"message":"returned event is nested deeper than 200 levels"}}';
    expect(statuses).toEqual([nested(200), tooDeep, tooDeep]);
  });

  it('passes on that the results are too large', () => {
    expect(read({ isTooLarge: true }, 3)).toBe('too large');
  });

  it.each([
    ['another shape', { results: {} }],
    ['results of another number', group(ok)],
    ['outputs that are no objects', group(ok, { status: 'ok', outputs: [1] })],
    ['a status that nobody knows', group(ok, { status: 'great' })],
    ['a field that nobody knows', group(ok, { ...ok, err: {} })],
    ['an error that is none', group(ok, { status: 'error', error: 'Error' })],
    ['an error that is longer than agreed', group(ok, { status: 'error', error: { message: 'x'.repeat(4_097) } })],
    ['an error with more in it', group(ok, { status: 'error', error: { message: '', stack: '' } })],
    ['a time that is none', group(ok, { ...ok, milliseconds: '1' })],
    ['nothing', null],
  ])('answers nothing for %s', (_what, value) => expect(read(value, 2)).toBeUndefined());
});
