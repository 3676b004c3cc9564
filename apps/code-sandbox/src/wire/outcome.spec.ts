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

  it('yields the group of each caller', () => {
    expect(groups(`${JSON.stringify(group(ok))}\nnull`)).toEqual([JSON.stringify(group(ok)), 'null']);
  });

  it.each([
    ['text that is not JSON', 'x\n1', ['x', '1']],
    ['nothing', '', ['']],
    ['a group that is cut off', '1\n{"results":["', ['1', '{"results":["']],
  ])('yields lines unread, so that no caller sees what another broke: %s', (_what, text, found) => {
    expect(groups(text)).toEqual(found);
  });
});

describe('readGroup', () => {
  it('leaves valid results and errors unchanged', () => {
    const told = { message: 'Error: x\n    at transformEvent (a:1:2)', frame: { file: 'a', line: 1, column: 2 } };
    const error = { status: 'error', error: told, milliseconds: 3 };
    expect(read(group({ ...ok, milliseconds: 2 }, { status: 'dropped' }, error), 3)).toEqual({
      results: [{ ...ok, milliseconds: 2 }, { status: 'dropped' }, error],
      strays: [],
      isLoose: false,
    });
  });

  it('reports unfinished events and the event that ended the run', () => {
    expect(read(group(null, { status: 'stopped' }), 2)).toMatchObject({ results: [undefined, 'stopped'] });
  });

  it('returns errors that belong to no event, up to the limit', () => {
    const strays = (count: number) => ({ results: [ok], strays: Array(count).fill({ message: 'Error' }) });
    expect(read(strays(100), 1)).toMatchObject({ strays: Array(100).fill({ message: 'Error' }) });
    expect(read(strays(101), 1)).toBeUndefined();
  });

  it('returns the positions of errors', () => {
    const error = { status: 'error', error: { message: 'Error' }, position: 1 };
    const placed = { results: [ok, error], strays: [{ message: 'Error', position: 0 }] };
    expect(read(placed, 2)).toMatchObject(placed);
  });

  it.each([-1, 0.5, '1', null, 1e300])('takes no %j for a position', (position) => {
    const error = { message: 'Error' };
    expect(read(group({ status: 'error', error, position }), 1)).toBeUndefined();
    expect(read({ results: [ok], strays: [{ ...error, position }] }, 1)).toBeUndefined();
  });

  it('treats an event without outputs as dropped', () => {
    expect(read(group({ status: 'ok', outputs: [] }), 1)).toMatchObject({ results: [{ status: 'dropped' }] });
  });

  it('counts any number of nesting levels', () => {
    const nested = (levels: number) => `{"status":"ok","outputs":[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]}`;
    const text = `{"results":[${[200, 201, 100_000].map(nested).join()}],"strays":[]}`;
    const outcome = readGroup(Buffer.from(text), 3);
    const statuses = outcome !== undefined && outcome !== 'too large' && outcome.results.map((each) => String(each));
    const tooDeep = '{"status":"error","error":{"message":"returned event is nested deeper than 200 levels"}}';
    expect(statuses).toEqual([nested(200), tooDeep, tooDeep]);
  });

  it('reports results that are too large', () => {
    expect(read({ isTooLarge: true }, 3)).toBe('too large');
  });

  it.each([
    ['another shape', { results: {} }],
    ['results of another number', group(ok)],
    ['outputs that are not objects', group(ok, { status: 'ok', outputs: [1] })],
    ['an unknown status', group(ok, { status: 'great' })],
    ['an unknown field', group(ok, { ...ok, err: {} })],
    ['an error that is not an object', group(ok, { status: 'error', error: 'Error' })],
    ['an error that is too long', group(ok, { status: 'error', error: { message: 'x'.repeat(4_097) } })],
    ['an error with an extra field', group(ok, { status: 'error', error: { message: '', stack: '' } })],
    ['a position of an output', group(ok, { ...ok, position: 1 })],
    ['an invalid time', group(ok, { ...ok, milliseconds: '1' })],
    ['nothing', null],
  ])('returns undefined for %s', (_what, value) => expect(read(value, 2)).toBeUndefined());

  it.each(['', 'x', '{"results":[{"status":"ok","outputs":[{"a":"', `${JSON.stringify(group(ok))}}`])(
    'returns undefined for text that is not JSON: %j',
    (text) => expect(readGroup(Buffer.from(text), 1)).toBeUndefined(),
  );
});
