import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { asItIs, expectSources, type SourcesRow, withValues } from '../../../test/sources.fixtures.js';
import { KNOWN_USER_ID } from '../../toolkit/index.js';
import june from './june.js';

const config = { apiKey: 'k' };
const KNOWN = { userId: 'ada', anonymousId: 'anon-1', timestamp: ada.timestamp };
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com', plan: 'pro' } };
const track = { ...ada, type: 'track', event: 'Report Opened', properties: { report: 7 } };
const page = { ...ada, type: 'page', name: 'Reports', properties: { url: 'https://example.com/reports' } };
const group = { ...ada, type: 'group', groupId: 'acme', traits: { name: 'Acme' } };
const send = (event: JsonObject, values: JsonObject = {}) => june.transform(withValues(event, values), config);
const bodyOf = (event: JsonObject, values: JsonObject = {}) => send(event, values)[0]?.body.JSON ?? {};

describe('an event for June', () => {
  it.each<[JsonObject, string, JsonObject]>([
    [identify, 'identify', { ...KNOWN, traits: { email: 'ada@example.com', plan: 'pro' } }],
    [track, 'track', { ...KNOWN, event: 'Report Opened', properties: { report: 7 } }],
    [page, 'page', { ...KNOWN, name: 'Reports', properties: { url: 'https://example.com/reports' } }],
    [group, 'group', { ...KNOWN, groupId: 'acme', traits: { name: 'Acme' } }],
  ])('%j goes to %s', (event, path, body) => {
    expect(send(event)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: `https://api.june.so/api/${path}`, body: { JSON: body } },
        headers: { authorization: 'Basic k', 'content-type': 'application/json' },
      },
    ]);
    expect(bodyOf(event)).toEqual(body);
  });

  it('has no more than its ids where there is no more', () => {
    expect(bodyOf({ type: 'identify', userId: 7 })).toEqual({ userId: '7' });
    expect(bodyOf({ type: 'track', event: 'Paid', userId: 'ada', properties: [1] })).toEqual({
      ...{ userId: 'ada', event: 'Paid' },
    });
  });

  it.each<[JsonObject, unknown]>([
    [{ originalTimestamp: '2026-01-01T08:00:00+02:00' }, '2026-01-01T08:00:00+02:00'],
    [{ timestamp: 1_767_225_600 }, '2026-01-01T00:00:00.000Z'],
    [{ timestamp: 'never' }, undefined],
  ])('with %j has the time %j', (values, time) => {
    expect(bodyOf(track, values)['timestamp']).toBe(time);
  });

  it.each<[JsonObject, unknown]>([
    [{ 'properties.groupId': 'acme' }, { groupId: 'acme' }],
    [{ 'properties.groupId': 12 }, { groupId: '12' }],
    [{ 'properties.groupId': 'acme', 'context.externalId': [{ type: 'juneGroupId', id: 'g' }] }, { groupId: 'g' }],
    [{ 'properties.groupId': { id: 1 } }, undefined],
  ])('with %j happened at the company %j', (values, context) => {
    for (const event of [track, page]) {
      const body = bodyOf(event, values);
      expect([body['context'], body['properties']]).toEqual([context, event.properties]);
    }
  });

  it.each<[JsonObject, SourcesRow]>([
    [{ type: 'identify' }, ['userId', KNOWN_USER_ID, asItIs]],
    [{ type: 'group', groupId: 'acme' }, ['userId', KNOWN_USER_ID, asItIs]],
    [{ type: 'group', userId: 'ada' }, ['groupId', ['groupId', 'traits.groupId'], asItIs]],
  ])('%j has %j', (event, row) => {
    expectSources((values) => bodyOf({ anonymousId: 'anon-1', ...event }, values), row);
  });

  it('of a company has no traits of the person who tells of it', () => {
    const person = { 'context.traits': { email: 'ada@example.com', plan: 'pro' } };
    expect(bodyOf({ ...group, traits: null }, person)).toEqual({ ...KNOWN, groupId: 'acme' });
    expect(bodyOf(group, person)['traits']).toEqual({ name: 'Acme' });
  });

  it('of a company may be of somebody unknown', () => {
    expect(bodyOf({ ...group, userId: '' })).toEqual({
      ...{ anonymousId: 'anon-1', groupId: 'acme', timestamp: ada.timestamp, traits: { name: 'Acme' } },
    });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, userId: '' }, config, 'userId is required'],
    [{ ...track, userId: {} }, config, 'userId is required'],
    [{ ...page, userId: null }, config, 'userId is required'],
    [{ ...track, event: '' }, config, 'Event name is required'],
    [{ ...group, groupId: '' }, config, 'groupId is required'],
    [{ type: 'group', groupId: 'acme' }, config, 'userId or anonymousId is required'],
    [{ ...ada, type: 'alias' }, config, 'Event type alias is not supported'],
    [identify, { apiKey: '' }, 'apiKey is required'],
  ])('%j with %j is refused: %s', (event, settings, message) => {
    expect(() => june.transform(event, settings)).toThrow(message);
  });
});
