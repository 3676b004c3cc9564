import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import { objectAt, valueAt } from '../../toolkit/index.js';
import amplitude from './amplitude.js';

const send = (event: JsonObject, config: JsonObject = {}) =>
  amplitude.transform({ ...ada, ...event }, { apiKey: 'k', ...config });
const first = (event: JsonObject, config: JsonObject = {}) => objectAt(send(event, config)[0], 'body.JSON.events.0');
const formOf = (payload: unknown, key: string): unknown => JSON.parse(String(valueAt(payload, `body.FORM.${key}.0`)));
const track = { type: 'track', event: 'Paid' };

describe('a group', () => {
  const config = { groupTypeTrait: 'kind', groupValueTrait: 'org.name' };
  const traits = { kind: 'company', org: { name: 'Weir' } };

  it.each<[JsonObject, unknown]>([
    [{ traits }, 'Weir'],
    [{ context: { traits } }, 'Weir'],
    [{ traits: { kind: 'company', 'org.name': 5 } }, 5],
  ])('is joined by two calls: %j', (event, value) => {
    const [joined, described] = send({ type: 'group', ...event }, config);
    const item = objectAt(joined?.body.JSON, 'events.0');
    expect(item).toMatchObject({
      event_type: '$identify',
      groups: { company: value },
      user_properties: { company: value },
    });
    expect(item).not.toHaveProperty('insert_id');
    expect(described?.endpoint).toBe('https://api2.amplitude.com/groupidentify');
    expect(described?.headers).toEqual({});
    expect(formOf(described, 'identification')).toMatchObject({ group_type: 'company', group_value: value });
    expect(formOf(described, 'identification')).toMatchObject({ group_properties: { kind: 'company' } });
  });

  it.each<JsonObject>([
    {},
    { kind: 'c' },
    { ...traits, kind: 5 },
    { ...traits, kind: '' },
    { 'org.name': 0, kind: 'c' },
  ])('is refused without a type and a value: %j', (given) => {
    expect(() => send({ type: 'group', traits: given }, config)).toThrow('groupTypeTrait');
  });

  it('without configured traits is what the options say', () => {
    expect(send({ type: 'group', traits })).toHaveLength(1);
    expect(first({ type: 'group', traits }, { groupTypeTrait: 'kind' })).not.toHaveProperty('groups');
    const groups = { group_type: 'team', group_value: 'a' };
    const [joined, described] = send({ type: 'group', integrations: { Amplitude: { groups } } });
    expect(objectAt(joined?.body.JSON, 'events.0')).toMatchObject({ groups: { team: 'a' } });
    expect(formOf(described, 'identification')).toEqual(groups);
  });
});

describe('an alias', () => {
  it.each<[JsonObject, JsonObject]>([
    [{ previousId: 'old' }, { global_user_id: 'ada', user_id: 'old' }],
    [
      { previousId: 'old', traits: { global_user_id: 'g', user_id: 'u' } },
      { global_user_id: 'g', user_id: 'u' },
    ],
    [
      { previousId: 'old', integrations: { Amplitude: { unmap: 'x' } } },
      { user_id: 'x', unmap: true },
    ],
    [
      { previousId: 5, integrations: { Amplitude: { event_id: 1, skipUserPropertiesSync: true } } },
      { global_user_id: 'ada', user_id: 5, event_id: 1, $skip_user_properties_sync: true },
    ],
  ])('of %j is %j', (event, expected) => {
    const [payload] = send({ type: 'alias', ...event });
    expect(payload).toMatchObject({ endpoint: 'https://api2.amplitude.com/usermap', headers: {}, userId: 'anon-1' });
    expect(payload?.body.FORM['api_key']).toBe('k');
    expect(formOf(payload, 'mapping')).toEqual({ user_properties: {}, ...expected });
  });
});

describe('a request to Amplitude', () => {
  it.each([
    [{ residencyServer: 'EU' }, 'https://api.eu.amplitude.com/2/httpapi'],
    [{ residencyServer: 'standard' }, 'https://api2.amplitude.com/2/httpapi'],
    [{}, 'https://api2.amplitude.com/2/httpapi'],
  ])('goes, with %j, to %s', (config, endpoint) => {
    expect(send(track, config)[0]).toMatchObject({ endpoint, userId: 'anon-1' });
    expect(send(track, config)[0]?.body.JSON).toMatchObject({ api_key: 'k', options: { min_id_length: 1 } });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [track, {}, 'a user id or a device id'],
    [{ type: 'group', groupId: 'g' }, {}, 'a user id or a device id'],
    [{ ...ada, ...track }, { apiKey: '' }, 'apiKey is required'],
    [{ ...ada, type: 'merge' }, {}, 'Event type merge is not supported'],
  ])('is not made for %j with %j', (event, config, message) => {
    expect(() => amplitude.transform(event, { apiKey: 'k', ...config })).toThrow(message);
  });
});
