import { expect, it } from '@jest/globals';
import { WeirError } from '@weir/client';
import { every, paceOf, untilHealed } from './refetch.js';

const failed = (status: number) => ({
  state: { status: 'error', error: new WeirError({ status, code: 'x', message: 'x' } as never) },
});
const loaded = (data: unknown) => ({ state: { status: 'success', data } });

it.each([0, 429, 500, 503])('what failed with %d is asked for again soon, whatever its pace', (status) => {
  expect([every(60_000)(failed(status)), untilHealed(failed(status))]).toEqual([3_000, 3_000]);
});

it('what the browser could not send is asked for again', () => {
  expect(every(60_000)({ state: { status: 'error', error: new TypeError('no network') } })).toBe(3_000);
});

it.each([400, 401, 403, 404, 409])('what was refused with %d stays so: nobody asks again', (status) => {
  expect([every(5_000)(failed(status)), untilHealed(failed(status))]).toEqual([false, false]);
});

it('what is there is asked for at its pace, and a long list less often', () => {
  const rows = Array.from({ length: 4_000 });
  expect([loaded({}), loaded([]), loaded(rows)].map(every(5_000))).toEqual([5_000, 5_000, 20_000]);
  expect(untilHealed(loaded([]))).toBe(false);
});

it.each([
  [5_000, 10, 5_000],
  [5_000, 1_000, 5_000],
  [15_000, 2_001, 30_015],
  [15_000, 10_000, 120_000],
  [5_000, 100_000, 120_000],
])('what is asked for every %d ms with %d rows is asked for every %d ms', (ms, rows, expected) => {
  expect(paceOf(ms, rows)).toBe(expected);
});

it.each(['OTHER_SESSION', 'HTTP_409'])('what another session was refused for is asked for again: %s', (code) => {
  const error = new WeirError({ status: 409, message: 'x', code });
  expect(untilHealed({ state: { status: 'error', error } })).toBe(3_000);
});
