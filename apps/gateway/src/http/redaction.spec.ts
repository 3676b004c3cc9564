import { expect, it } from '@jest/globals';
import { redacted } from './redaction.js';

it('masks likely secrets at any depth, and nothing else', () => {
  const event = {
    type: 'identify',
    traits: {
      email: 'a@b.c',
      password: 'p',
      api_key: 'k',
      cards: [{ cardNumber: 4111, brand: 'visa' }],
      passengers: 2,
    },
    context: { headers: { Authorization: 'Bearer x' }, token: { kind: 'none' } },
  };
  expect(redacted(event)).toEqual({
    type: 'identify',
    traits: {
      email: 'a@b.c',
      password: '***',
      api_key: '***',
      cards: [{ cardNumber: '***', brand: 'visa' }],
      passengers: 2,
    },
    context: { headers: { Authorization: '***' }, token: { kind: 'none' } },
  });
});
