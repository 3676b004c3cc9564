import { describe, expect, it } from '@jest/globals';
import { groupsOf, readGroup } from './outcome.js';

const ok = { status: 'ok', outputs: [{ a: 1 }] };
const group = (...results: unknown[]) => ({ results, strays: [] });
const textOf = (value: unknown) => Buffer.from(JSON.stringify(value));
const noMask = (text: string) => text;
const read = (value: unknown, events: number, mask = noMask) => {
  const outcome = readGroup(textOf(value), events, mask);
  if (outcome === undefined || outcome === 'too large') return outcome;
  const results = outcome.results.map((result) => (Buffer.isBuffer(result) ? JSON.parse(result.toString()) : result));
  return { ...outcome, results };
};

describe('groupsOf', () => {
  it('cuts apart what belongs to each caller', () => {
    const [first, second] = groupsOf(textOf({ groups: [group(ok), null] }), 2);
    expect([JSON.parse(String(first)), String(second)]).toEqual([group(ok), 'null']);
  });

  it.each([
    ['no JSON', 'x'],
    ['groups of another number', '{"groups":[null]}'],
    ['more than JSON', '{"groups":[null,null]},{}'],
    ['nothing', ''],
  ])('answers nothing for %s', (_what, text) => expect(groupsOf(Buffer.from(text), 2)).toEqual([]));
});

describe('readGroup', () => {
  it('leaves good results as they are, and puts errors into words', () => {
    const error = {
      status: 'error',
      text: 'Error: x\n    at transformEvent (a:1:2)\n    at weir:driver:1:1',
      milliseconds: 3,
    };
    const told = { message: 'Error: x\n    at transformEvent (a:1:2)', frame: { file: 'a', line: 1, column: 2 } };
    expect(read(group({ ...ok, milliseconds: 2 }, { status: 'dropped' }, error), 3)).toEqual({
      results: [{ ...ok, milliseconds: 2 }, { status: 'dropped' }, { status: 'error', error: told, milliseconds: 3 }],
      strays: [],
      isLoose: false,
    });
  });

  it('knows what did not come to an end, and what the run was ended for', () => {
    expect(read(group(null, { status: 'stopped' }), 2)).toMatchObject({ results: [undefined, 'stopped'] });
  });

  it('masks errors and strays, and no event', () => {
    const mask = (text: string) => text.replaceAll('hunter2', '***');
    const secret = { status: 'ok', outputs: [{ key: 'hunter2' }] };
    const outcome = read({ results: [{ status: 'error', text: 'hunter2' }, secret], strays: ['hunter2'] }, 2, mask);
    expect(outcome).toEqual({
      results: [{ status: 'error', error: { message: '***' } }, secret],
      strays: [{ message: '***' }],
      isLoose: false,
    });
  });

  it('takes an event without outputs as dropped', () => {
    expect(read(group({ status: 'ok', outputs: [] }), 1)).toMatchObject({ results: [{ status: 'dropped' }] });
  });

  it('counts levels of nesting, however many', () => {
    const nested = (levels: number) => `{"status":"ok","outputs":[${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}]}`;
    const text = `{"results":[${[200, 201, 100_000].map(nested).join()}],"strays":[]}`;
    const outcome = readGroup(Buffer.from(text), 3, noMask);
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
    ['a time that is none', group(ok, { ...ok, milliseconds: '1' })],
    ['nothing', null],
  ])('answers nothing for %s', (_what, value) => expect(read(value, 2)).toBeUndefined());
});
