import { describe, expect, it } from '@jest/globals';
import { EVENT_BYTES_MAX, type JsonObject } from '@weir/contracts';
import { destinationKind } from '../registry.js';

const track = { type: 'track', event: 'Order Completed', userId: 'ada', timestamp: new Date().toISOString() };
const transformed = (name: string, event: JsonObject, config: JsonObject) => () =>
  destinationKind(name)?.transform(event, config);
const refusal = expect.objectContaining({
  code: 'invalid',
  message: expect.stringContaining('The event makes more than'),
});

describe('the payloads of an event', () => {
  it('have room for all of the largest event', () => {
    const properties = { text: 'a'.repeat(EVENT_BYTES_MAX) };
    expect(
      transformed('WEBHOOK', { ...track, properties }, { webhookUrl: 'https://hooks.example.com' })(),
    ).toHaveLength(1);
  });

  it('never repeat it for each of its products', () => {
    const products = Array.from({ length: 1_000 }, (_, index) => ({ product_id: String(index) }));
    const context = { traits: { about: 'a'.repeat(EVENT_BYTES_MAX / 2) } };
    const event = { ...track, context, properties: { revenue: 1, products } };
    expect(transformed('AM', event, { apiKey: 'k', trackRevenuePerProduct: true })).toThrow(refusal);
  });

  it('never repeat it for each key that is mapped from it', () => {
    const propertiesMapping = Array.from({ length: 100 }, (_, index) => ({ from: '$.properties', to: `key${index}` }));
    const event = { ...track, properties: { text: 'a'.repeat(EVENT_BYTES_MAX / 2) } };
    expect(transformed('HTTP', event, { apiUrl: 'https://api.example.com', propertiesMapping })).toThrow(refusal);
  });

  it('are made of a thousand products at most', () => {
    const products = Array.from({ length: 1_001 }, () => ({ product_id: 'p' }));
    expect(transformed('AM', { ...track, properties: { revenue: 1, products } }, { apiKey: 'k' })).toThrow(
      'more than 1000 items',
    );
  });
});
