import { expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { arrayOf } from '../../toolkit/index.js';
import { ometriaBatch } from './ometria.batch.js';
import ometria from './ometria.js';

const made = (event: JsonObject) => {
  const [payload] = ometria.transform({ ...ada, ...event }, { apiKey: 'k' });
  if (!payload) throw new Error('no payload');
  return payload;
};
const properties = { email: 'ada@example.com', order_id: 'o', grand_total: 1, currency: 'EUR' };
const opened = made({ type: 'track', event: 'Opened', properties });
const closed = made({ type: 'track', event: 'Closed', properties });
const order = made({ type: 'track', event: 'pending', properties });

it('a request has records of one type', () => {
  const keys = [opened, closed, order].map((payload) => ometriaBatch.keyOf(payload));
  expect(keys[0]).toBe(keys[1]);
  expect(keys[0]).not.toBe(keys[2]);
  expect(arrayOf(ometriaBatch.combine([opened, closed]))).toMatchObject([
    { event_type: 'Opened' },
    { event_type: 'Closed' },
  ]);
});

it.each<[unknown, boolean, unknown]>([
  [{ status: 'OK', accepted: 2, rejected: 0 }, false, undefined],
  [{ status: 'OK', accepted: 1, rejected: 1 }, true, undefined],
  [{ status: 'OK', accepted: 0, rejected: 2 }, true, [{ status: 400 }, { status: 400 }]],
  [{ status: 'OK' }, false, undefined],
  ['OK', false, undefined],
])('the answer %j tells of refused records: %j, and whose: %j', (response, isOfSome, outcomes) => {
  const result = { status: 200, response };
  expect(ometriaBatch.isOfSome?.(result)).toBe(isOfSome);
  expect(ometriaBatch.outcomes?.(result, [opened, closed])).toEqual(outcomes);
});
