import { describe, expect, it } from '@jest/globals';
import { jsonSchemaOf } from './json-schema.js';
import type { CountedModel } from './key-count.repository.js';

/** A model of ten events. Each path is in all of them unless `counts` says otherwise. */
const modelOf = (
  schema: Record<string, string>,
  { eventType = 'track', counts = {} }: { eventType?: string; counts?: Record<string, number> } = {},
): CountedModel => ({
  id: 1,
  eventId: 'model',
  writeKey: 'wk',
  eventType,
  eventIdentifier: 'Seat chosen',
  totalCount: 10,
  schema,
  facts: new Map(
    Object.keys(schema).map((path) => [
      path,
      { events: counts[path] ?? 10, types: {}, firstSeen: '2026-01-01', lastSeen: '2026-01-02' },
    ]),
  ),
});

const $schema = 'http://json-schema.org/draft-07/schema#';

describe('the JSON Schema of a model', () => {
  it('describes the properties of track events, nested, with what every event had as required', () => {
    const schema = {
      type: 'string',
      'context.ip': 'string',
      'properties.price': 'float64',
      'properties.seat.row': 'string',
      'properties.seat.free': 'bool',
    };
    expect(jsonSchemaOf(modelOf(schema, { counts: { 'properties.seat.free': 9 } }))).toEqual({
      $schema,
      type: 'object',
      properties: {
        price: { type: 'number' },
        seat: {
          type: 'object',
          properties: { row: { type: 'string' }, free: { type: 'boolean' } },
          required: ['row'],
          additionalProperties: false,
        },
      },
      required: ['price', 'seat'],
      additionalProperties: false,
    });
  });

  it('describes traits of identify and group, and the whole event of other types', () => {
    const schema = { 'traits.plan': 'string', previousId: 'string' };
    const propertiesOf = (eventType: string) =>
      Object.keys(jsonSchemaOf(modelOf(schema, { eventType }))['properties'] as object);
    expect(propertiesOf('identify')).toEqual(['plan']);
    expect(propertiesOf('group')).toEqual(['plan']);
    expect(propertiesOf('page')).toEqual([]);
    expect(propertiesOf('alias')).toEqual(['traits', 'previousId']);
  });

  it('joins the items of a list, whose keys nobody knows to be required', () => {
    const schema = {
      'properties.seats.0.row': 'string',
      'properties.seats.1.row': 'float64',
      'properties.seats.1.free': 'bool',
      'properties.tags.0': 'string',
    };
    const { properties } = jsonSchemaOf(modelOf(schema)) as { properties: Record<string, unknown> };
    expect(properties['tags']).toEqual({ type: 'array', items: { type: 'string' } });
    expect(properties['seats']).toEqual({
      type: 'array',
      items: {
        type: 'object',
        properties: { row: { type: ['string', 'number'] }, free: { type: 'boolean' } },
        additionalProperties: false,
      },
    });
  });

  it('allows each of several types, scalars beside objects', () => {
    const schema = { 'properties.seat': 'string,float64', 'properties.seat.row': 'string' };
    const { properties } = jsonSchemaOf(
      modelOf(schema, { counts: { 'properties.seat': 4, 'properties.seat.row': 6 } }),
    ) as {
      properties: Record<string, unknown>;
    };
    expect(properties['seat']).toEqual({
      anyOf: [
        { type: ['string', 'number'] },
        { type: 'object', properties: { row: { type: 'string' } }, additionalProperties: false },
      ],
    });
  });

  it('takes keys of prototypes for keys', () => {
    const { properties } = jsonSchemaOf(modelOf(JSON.parse('{"properties.__proto__.x":"bool"}')));
    expect(Object.keys(properties as object)).toEqual(['__proto__']);
  });
});
