import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada } from '../../../test/events.fixtures.js';
import userlist from './userlist.js';

const config = { pushKey: 'k' };
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com' }, integrations: { All: true } };
const track = { ...ada, type: 'track', event: 'Report Opened', context: { groupId: 'acme' } };
const group = { ...ada, type: 'group', groupId: 'acme', traits: { name: 'Acme' } };

describe('an event for Userlist', () => {
  it.each<[JsonObject]>([[identify], [track], [group]])('%j goes there as it is', (event) => {
    expect(userlist.transform(event, config)).toMatchObject([
      {
        ...{ method: 'POST', endpoint: 'https://incoming.userlist.com/rudderstack/events' },
        headers: { authorization: 'Push k', 'content-type': 'application/json' },
      },
    ]);
    expect(userlist.transform(event, config)[0]?.body.JSON).toEqual(event);
  });

  it('has its type in lower case', () => {
    expect(userlist.transform({ ...track, type: 'Track' }, config)[0]?.body.JSON).toEqual(track);
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ ...identify, userId: '' }, config, 'userId is required'],
    [{ ...track, userId: null }, config, 'userId is required'],
    [{ ...track, event: '' }, config, 'Event name is required'],
    [{ ...group, groupId: {} }, config, 'groupId is required'],
    [{ ...ada, type: 'page' }, config, 'Event type page is not supported'],
    [identify, { pushKey: '' }, 'pushKey is required'],
  ])('%j with %j is refused: %s', (event, settings, message) => {
    expect(() => userlist.transform(event, settings)).toThrow(message);
  });
});
