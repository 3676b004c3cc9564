import { expect, it } from '@jest/globals';
import { statsigTransform } from './statsig.kind.js';

it('a Statsig event is the event as it is', () => {
  const event = { type: 'track', event: 'e', properties: { a: null } };
  const [payload] = statsigTransform(event, { secretKey: 's' });
  expect(payload).toMatchObject({ headers: { 'statsig-api-key': 's' }, body: { JSON: event } });
  expect(() => statsigTransform({ type: 'merge' }, { secretKey: 's' })).toThrow('Event type merge is not supported');
});
