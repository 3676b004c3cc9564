import { expect, it } from '@jest/globals';
import statsig from './statsig.js';

it.each(['identify', 'track', 'page', 'screen', 'group', 'alias'])('a %s goes to Statsig as it is', (type) => {
  const event = { type, userId: null, properties: { a: null, list: [{ b: '' }] }, context: {}, extra: 0 };
  const [payload, ...more] = statsig.transform(event, { secretKey: 's' });
  expect(payload).toMatchObject({ method: 'POST', endpoint: 'https://api.statsig.com/v1/webhooks/rudderstack' });
  expect(payload?.headers).toEqual({ 'statsig-api-key': 's', 'content-type': 'application/json' });
  expect(payload?.body.JSON).toEqual(event);
  expect([more, payload?.userId]).toEqual([[], undefined]);
});

it.each([
  [{ type: 'merge' }, { secretKey: 's' }, 'Event type merge is not supported'],
  [{}, { secretKey: 's' }, 'Event type is required'],
  [{ type: 'track' }, {}, "secretKey is required in the destination's configuration"],
])('Statsig refuses %j with %j', (event, config, message) => {
  expect(() => statsig.transform(event, config)).toThrow(expect.objectContaining({ code: 'invalid', message }));
});
