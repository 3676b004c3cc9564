import { describe, expect, it } from '@jest/globals';
import { jsonSchemaOf, SURE_EVENTS } from './json-schema.js';
import type { CountedModel } from './key-facts.js';

interface Told {
  eventType?: string;
  counts?: Record<string, number>;
  totalCount?: number;
}

/** A model of enough events. Each path is in all of them unless `counts` says otherwise. */
const modelOf = (
  schema: Record<string, string>,
  { eventType = 'track', counts = {}, totalCount = SURE_EVENTS }: Told = {},
): CountedModel => ({
  id: 1,
  eventId: 'model',
  writeKey: 'wk',
  eventType,
  eventIdentifier: 'Seat chosen',
  totalCount,
  schema,
  facts: new Map(
    Object.keys(schema).map((path) => [
      path,
      { events: counts[path] ?? totalCount, types: {}, firstSeen: '2026-01-01', lastSeen: '2026-01-02' },
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
    expect(jsonSchemaOf(modelOf(schema, { counts: { 'properties.seat.free': SURE_EVENTS - 1 } }))).toEqual({
      $schema,
      $comment: `Observed in ${SURE_EVENTS} events.`,
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
    expect(propertiesOf('constructor')).toEqual(['traits', 'previousId']);
  });

  it('requires nothing and closes nothing after few events, and says how many make it sure', () => {
    const schema = { 'properties.price': 'float64', 'properties.seat.row': 'string' };
    const $comment = 'Observed in 99 events. 100 make sure which keys are required, and that there are no others.';
    expect(jsonSchemaOf(modelOf(schema, { totalCount: SURE_EVENTS - 1 }))).toEqual({
      $schema,
      $comment,
      type: 'object',
      properties: { price: { type: 'number' }, seat: { type: 'object', properties: { row: { type: 'string' } } } },
    });
  });

  it('leaves an object open that few of many events had', () => {
    const schema = { 'properties.price': 'float64', 'properties.seat.row': 'string' };
    const { properties, additionalProperties } = jsonSchemaOf(
      modelOf(schema, { counts: { 'properties.seat.row': 3 } }),
    ) as { properties: Record<string, unknown>; additionalProperties: unknown };
    expect(additionalProperties).toBe(false);
    expect(properties['seat']).toEqual({ type: 'object', properties: { row: { type: 'string' } } });
  });

  it('finds the traits of identify in its context too, and those of group beside it alone', () => {
    const schema = { 'context.traits.plan': 'string', 'context.ip': 'string', 'traits.seats': 'float64' };
    const propertiesOf = (eventType: string) => jsonSchemaOf(modelOf(schema, { eventType }))['properties'];
    expect(propertiesOf('identify')).toEqual({ plan: { type: 'string' }, seats: { type: 'number' } });
    expect(propertiesOf('group')).toEqual({ seats: { type: 'number' } });
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
      modelOf(schema, {
        counts: { 'properties.seat': 4, 'properties.seat.row': SURE_EVENTS },
        totalCount: SURE_EVENTS + 4,
      }),
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
