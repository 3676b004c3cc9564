import { describe, expect, it } from '@jest/globals';
import { toNumber, toText } from './convert.js';
import { keysRead, mapFields, restOf } from './mapping.js';

const event = {
  userId: 7,
  traits: { email: '', plan: 'pro', seats: '12', active: false, none: null },
  context: { traits: { email: 'ada@example.com' } },
  properties: { products: [{ price: 3 }] },
};

describe('mapFields', () => {
  it('takes the first given source of each key', () => {
    expect(mapFields(event, { email: ['traits.email', 'context.traits.email'], plan: 'traits.plan' })).toEqual({
      email: 'ada@example.com',
      plan: 'pro',
    });
  });

  it('keeps false and leaves out what is absent, null or empty', () => {
    expect(mapFields(event, { a: 'traits.active', b: 'traits.none', c: 'traits.email', d: 'x.y.z' })).toEqual({
      a: false,
    });
  });

  it('makes objects of dotted keys and reads list elements', () => {
    expect(mapFields(event, { 'item.price': 'properties.products.0.price', 'item.id': 'userId' })).toEqual({
      item: { price: 3, id: 7 },
    });
  });

  it('converts in order; what does not convert falls back to the default', () => {
    expect(
      mapFields(event, {
        seats: { from: 'traits.seats', as: [toNumber, (seats) => Number(seats) + 1] },
        user: { from: 'userId', as: toText },
        score: { from: 'traits.plan', as: toNumber, default: 0 },
      }),
    ).toEqual({ seats: 13, user: '7', score: 0 });
  });

  it('refuses an event without a required value, naming its paths', () => {
    expect(() => mapFields(event, { token: { from: ['traits.token', 'token'], required: true } })).toThrow(
      expect.objectContaining({ code: 'invalid', message: 'token is required: it is read from traits.token, token' }),
    );
  });

  it('cannot reach a prototype, neither reading nor writing', () => {
    const given = JSON.parse('{"a":{"x":1}}');
    expect(mapFields(given, { a: 'constructor.name', '__proto__.polluted': 'a.x' })).toEqual({});
    expect({}).not.toHaveProperty('polluted');
  });
});

describe('restOf', () => {
  it('is what the table did not read', () => {
    const table = { price: 'properties.price', name: { from: ['properties.title', 'properties.name'] } };
    expect(keysRead({ a: 'b.c', d: ['e', 'f'] })).toEqual(['b', 'e', 'f']);
    expect(restOf({ price: 1, name: 'n', color: 'red' }, keysRead(table, 'properties'))).toEqual({ color: 'red' });
  });
});
