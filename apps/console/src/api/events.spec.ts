import { expect, it } from '@jest/globals';
import { WeirError } from '@weir/client';

// the client takes its address from the page
Object.assign(globalThis, { window: { location: { origin: 'http://weir' } } });
const { eventQuery } = await import('./events.js');

const again = (state: object): unknown => {
  const { refetchInterval } = eventQuery('m1');
  return typeof refetchInterval === 'function' ? refetchInterval({ state } as never) : refetchInterval;
};
const failed = (status: number) => ({
  status: 'error',
  error: new WeirError({ status, code: 'X', message: 'no' }),
});
const routed = (status: string) => ({ status: 'success', data: { status: 'routed', destinations: [{ status }] } });

it('an event is asked for until it has come, and while something of it is under way', () => {
  expect(again(failed(404))).toBe(3_000);
  expect(again(failed(503))).toBe(3_000);
  expect(again(routed('retrying'))).toBe(1_500);
  expect(again(routed('delivered'))).toBe(10_000);
});

it('an event that the role may not see is not asked for again', () => {
  expect(again(failed(403))).toBe(false);
});
