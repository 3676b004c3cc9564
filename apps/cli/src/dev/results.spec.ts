import { expect, it } from '@jest/globals';
import { shownOutput } from './results.js';

const ok = (n: number) => ({ status: 'ok' as const, outputs: [{ n }] });

it('shows outputs by event, errors at their position, and other errors of no event last', () => {
  const error = (message: string) => ({ status: 'error' as const, error: { message } });
  const results = [ok(1), { ...error('first'), position: 0 }, error('own'), { status: 'dropped' as const }, ok(2)];
  expect(shownOutput(results, [{ message: 'last' }, { message: 'mid', position: 2 }])).toEqual([
    ...[{ error: 'first' }, { n: 1 }, { error: 'own' }, { error: 'mid' }, { n: 2 }, { error: 'last' }],
  ]);
});
