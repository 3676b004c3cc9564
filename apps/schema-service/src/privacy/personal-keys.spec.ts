import { describe, expect, it } from '@jest/globals';
import { maskedBy, maskMetadata } from './mask.js';
import { categoryByName, categoryByValue, piiFlagsOf } from './personal-keys.js';

describe('a key looks personal', () => {
  it.each([
    ['context.traits.email', 'email'],
    ['properties.contactEmail', 'email'],
    ['traits.phone_number', 'phone'],
    ['traits.firstName', 'name'],
    ['traits.LAST_NAME', 'name'],
    ['traits.name', 'name'],
    ['properties.users.0.address', 'address'],
    ['properties.zip-code', 'address'],
    ['traits.birthday', 'birthday'],
    ['context.ip', 'ip'],
    ['request_ip', 'ip'],
    ['properties.cardNumber', 'payment'],
    ['properties.api_token', 'secret'],
  ])('by its name: %s', (path, category) => expect(categoryByName(path)).toBe(category));

  it.each([
    'name',
    'properties.name',
    'properties.shipment',
    'properties.recipe',
    'context.library.name',
    'traits.plan',
    'properties.__proto__',
  ])('or not: %s', (path) => expect(categoryByName(path)).toBeUndefined());

  it.each([
    ['grace@example.com', 'email'],
    ['2001:db8::1', 'ip'],
    ['192.0.2.44', 'ip'],
    ['4242 4242 4242 4242', 'payment'],
    ['4242 4242 4242 4243', undefined],
    ['1.2.3', undefined],
    ['write to grace@example.com', undefined],
    [4_242_424_242_424_242, undefined],
  ])('by its value: %s', (value, category) => expect(categoryByValue(value)).toBe(category));
});

const metadata = {
  TotalCount: 2,
  SampledEvents: [
    {
      type: 'track',
      traits: { email: 'a@example.com', seat: { row: 'A', tags: ['x', null] } },
      context: { by: '192.0.2.1' },
    },
  ],
  FrequentValues: {
    type: [{ Value: 'track', Frequency: 2 }],
    'traits.email': [{ Value: 'a@example.com', Frequency: 2 }],
    'traits.login': [{ Value: 'b@example.com', Frequency: 2 }],
  },
};

it('flags are found by names, samples and frequent values', () => {
  expect(piiFlagsOf(['type', 'traits.email'], metadata)).toEqual([
    { Key: 'context.by', Kind: 'ip', Because: 'values' },
    { Key: 'traits.email', Kind: 'email', Because: 'name' },
    { Key: 'traits.login', Kind: 'email', Because: 'values' },
  ]);
});

describe('masking', () => {
  it('shows stars for keys and for what is below them, and no values of them', () => {
    const masked = maskMetadata(metadata, maskedBy(['traits.email', 'traits.seat', 'context.b', 'traits.log']));
    expect(masked).toEqual({
      ...metadata,
      SampledEvents: [
        {
          type: 'track',
          traits: { email: '***', seat: { row: '***', tags: ['***', null] } },
          context: { by: '***' },
        },
      ],
      FrequentValues: { type: metadata.FrequentValues.type, 'traits.login': [] },
    });
    expect(metadata.SampledEvents[0]?.traits.email).toBe('a@example.com');
  });

  it('finds personal data in free text, under keys that do not look personal', () => {
    const event = { type: 'track', properties: { note: 'call Ada: ada@example.com', page: 'Home' } };
    const values = [
      { Value: 'call Ada: ada@example.com', Frequency: 2 },
      { Value: 'no answer', Frequency: 2 },
    ];
    const noted = { TotalCount: 4, SampledEvents: [event], FrequentValues: { 'properties.note': values } };
    expect(maskMetadata(noted, maskedBy([]))).toEqual({
      TotalCount: 4,
      SampledEvents: [{ type: 'track', properties: { note: 'call Ada: ***', page: 'Home' } }],
      FrequentValues: { 'properties.note': [{ Value: 'no answer', Frequency: 2 }] },
    });
  });

  it('goes as deep as an event may go, and masks keys of prototypes', () => {
    let deep: Record<string, unknown> = JSON.parse('{"__proto__":"secret"}');
    for (let level = 0; level < 100; level += 1) deep = { k: deep };
    const { SampledEvents } = maskMetadata({ ...metadata, SampledEvents: [deep] }, maskedBy(['k']));
    expect(JSON.stringify(SampledEvents)).toContain('{"__proto__":"***"}');
  });
});
