import { expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../../test/deletion.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { Vendor } from '../../../test/vendor.fixtures.js';
import { gainsightDeliver } from './gainsight_px.deliver.js';
import gainsightPx from './gainsight_px.js';

const config = { apiKey: 'k', productTagKey: 'AP-1' };
const identify = { ...ada, type: 'identify', traits: { email: 'ada@example.com' } };
const group = { ...ada, type: 'group', groupId: 'acme', traits: { name: 'Acme' } };
const track = { ...ada, type: 'track', event: 'Paid' };

async function deliver(event: JsonObject, answers: Record<string, number>) {
  const vendor = new Vendor('https://api.aptrinsic.com/v1/', answers);
  const statuses = await vendor.take(gainsightDeliver, gainsightPx.transform(event, config), config);
  return { statuses, names: vendor.names, sent: vendor.sent };
}

it.each<[string, JsonObject, Record<string, number>, string[], number[]]>([
  ['a known user is updated', identify, {}, ['GET users/ada', 'PUT users/ada'], [200]],
  ['a new user is created', identify, { 'GET users/ada': 404 }, ['GET users/ada', 'POST users'], [200]],
  ['a user waits for an answer', identify, { 'GET users/ada': 503 }, ['GET users/ada'], [503]],
  [
    ...['an account is created before its member joins', group, { 'GET accounts/acme': 404 }],
    ...[
      ['GET users/ada', 'GET accounts/acme', 'POST accounts', 'PUT users/ada'],
      [200, 200],
    ],
  ] as [string, JsonObject, Record<string, number>, string[], number[]],
  [
    ...['an unknown member leaves no account behind', group, { 'GET users/ada': 404, 'PUT users/ada': 404 }],
    ...[
      ['GET users/ada', 'PUT users/ada'],
      [404, 404],
    ],
  ] as [string, JsonObject, Record<string, number>, string[], number[]],
  [
    ...['an account waits for the answer about its member', group, { 'GET users/ada': 503 }],
    ...[
      ['GET users/ada', 'PUT users/ada'],
      [503, 200],
    ],
  ] as [string, JsonObject, Record<string, number>, string[], number[]],
  ['an event is sent as it is', track, {}, ['POST events/custom'], [200]],
])('%s', async (_, event, answers, names, statuses) => {
  expect(await deliver(event, answers)).toMatchObject({ names, statuses });
});

it('only a new user has an id and the time of the event', async () => {
  const created = await deliver(identify, { 'GET users/ada': 404 });
  expect(bodyOf(created.sent[1])).toMatchObject({ identifyId: 'ada', createDate: 1_772_600_767_890, type: 'USER' });
  const updated = await deliver(identify, {});
  expect(Object.keys(bodyOf(updated.sent[1]))).toEqual(['type', 'email', 'propertyKeys', 'customAttributes']);
  const account = await deliver(group, { 'GET accounts/acme': 404 });
  expect(bodyOf(account.sent[2])).toMatchObject({ id: 'acme', name: 'Acme' });
  expect(bodyOf(account.sent[2])).not.toHaveProperty('member');
  expect(updated.sent.map(({ url }) => new URL(url).search)).toEqual(['', '']);
});
