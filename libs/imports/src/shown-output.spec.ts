import { describe, expect, it } from '@jest/globals';
import { shownOutput } from './shown-output.js';

const ok = (...names: string[]) => ({ status: 'ok' as const, outputs: names.map((name) => ({ name })) });
const dropped = { status: 'dropped' as const };
const error = (message: string, position?: number) => ({
  ...{ status: 'error' as const, error: { message } },
  ...(position !== undefined && { position }),
});
const stray = (message: string, position?: number) => ({ message, ...(position !== undefined && { position }) });
const names = (...[results, strays]: Parameters<typeof shownOutput<{ name: string }>>) =>
  shownOutput(results, strays).map((each) => ('error' in each ? each.error : each.name));

describe('shownOutput', () => {
  it('shows outputs and errors in the order of the events', () => {
    expect(names([ok('a', 'b'), dropped, error('no'), ok('c')], [])).toEqual(['a', 'b', 'no', 'c']);
  });

  it('shows an error with a position before the output that has this number', () => {
    expect(names([ok('a'), error('first', 0), ok('b')], [])).toEqual(['first', 'a', 'b']);
    expect(names([error('late', 2), ok('a', 'b'), ok('c')], [])).toEqual(['a', 'b', 'late', 'c']);
    expect(names([error('own'), error('late', 1), ok('a')], [])).toEqual(['own', 'late', 'a']);
  });

  it('shows errors of no event at their position, or after all others', () => {
    expect(names([ok('a'), ok('b')], [stray('first', 0), stray('last'), stray('mid', 1), stray('end', 2)])).toEqual([
      ...['first', 'a', 'mid', 'b', 'last', 'end'],
    ]);
  });

  it('keeps the order of errors at one position', () => {
    expect(names([ok('a'), error('1', 1), error('2', 1)], [stray('3', 1)])).toEqual(['a', '1', '2', '3']);
  });
});
