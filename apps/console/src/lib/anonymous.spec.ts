import { expect, it } from '@jest/globals';
import { anonymous } from './anonymous.js';

it('leaves nothing of the person, and what the code reads of the rest', () => {
  const event = {
    ...{ type: 'track', event: 'Bought', userId: 'u-17', anonymousId: 'a-1', messageId: 'm-1' },
    ...{ request_ip: '203.0.113.8', rudderId: 'r-1' },
    properties: { price: 12.5, note: 'ask bob@corp.example, please', coupon: 'SPRING', products: [{ sku: 'A' }] },
    context: {
      ip: '203.0.113.7',
      traits: { name: 'Bob', age: 40, phone: '+49 170 1234567', email: 'bob@corp.example' },
    },
  };
  const shown = anonymous(event);
  expect(shown).toEqual({
    ...{ type: 'track', event: 'Bought' },
    ...{ userId: 'test-userId', anonymousId: 'test-anonymousId', messageId: 'test-messageId' },
    ...{ request_ip: '192.0.2.1', rudderId: 'test-rudderId' },
    properties: { price: 12.5, note: 'ask ada@example.com, please', coupon: 'SPRING', products: [{ sku: 'A' }] },
    context: {
      ip: '192.0.2.1',
      traits: { name: 'test name', age: 40, phone: '+1 555 0100', email: 'ada@example.com' },
    },
  });
  expect(JSON.stringify(shown)).not.toMatch(/Bob|bob|u-17|203\.0/);
});

it('leaves values that are no person as they are', () => {
  for (const value of [null, true, 3, [], {}, '']) expect(anonymous(value)).toEqual(value);
});
