import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { bodyOf } from '../../../test/deletion.fixtures.js';
import { ada } from '../../../test/events.fixtures.js';
import { Vendor } from '../../../test/vendor.fixtures.js';
import { trengoDeliver } from './trengo.deliver.js';
import trengo from './trengo.js';

const identify = {
  ...ada,
  type: 'identify',
  traits: { name: 'Ada', email: 'ada@example.com', phone: '+44 20 7946 0000' },
};
const track = { ...ada, type: 'track', event: 'Paid', properties: { email: 'ada@example.com' } };
const LOOKUP = 'GET contacts?page=1&term=ada%40example.com';
const CREATE = 'POST channels/12/contacts';

const SETTINGS = {
  ...{ apiToken: 'k', channelId: '12', channelIdentifier: 'email', eventTemplateMap: [{ from: 'Paid' }] },
};

async function deliver(event: JsonObject, answers: Record<string, JsonObject | number>, more: JsonObject = {}) {
  const vendor = new Vendor('https://app.trengo.com/api/v2/', answers);
  const whole = { ...SETTINGS, ...more };
  const [status] = await vendor.take(trengoDeliver, trengo.transform(event, whole), whole);
  return { status, names: vendor.names, last: bodyOf(vendor.sent.at(-1)) };
}
const contact = (id: number, more: JsonObject) => ({ id, identifier: 'x', email: null, phone: null, ...more });
const known = contact(7, { email: 'Ada@Example.com' });
const found = (...data: JsonObject[]) => ({ [LOOKUP]: { data } });

describe('a contact on the way to Trengo', () => {
  it.each<[string, Record<string, JsonObject | number>, string[], number]>([
    ['is created when it is new', found(), [LOOKUP, CREATE], 200],
    [
      'is created when only a similar one is found',
      found(contact(8, { email: 'xada@example.com' })),
      [LOOKUP, CREATE],
      200,
    ],
    ['is created when the answer has no contacts', { [LOOKUP]: {} }, [LOOKUP, CREATE], 200],
    ['is updated when it is known', found(known, { ...known, id: null }), [LOOKUP, 'PUT contacts/7'], 200],
    ['is refused when several are known', found(known, { ...known, id: 8 }), [LOOKUP], 400],
    ['waits when the answer is a failure', { [LOOKUP]: 429 }, [LOOKUP], 429],
  ])('%s', async (_, answers, names, status) => {
    expect(await deliver(identify, answers)).toMatchObject({ names, status });
  });

  it('is known by the digits of its phone', async () => {
    const lookup = 'GET contacts?page=1&term=%2B44+20+7946+0000';
    const answers = { [lookup]: { data: [contact(9, { phone: '+442079460000' })] } };
    expect(await deliver(identify, answers, { channelIdentifier: 'phone' })).toMatchObject({
      ...{ names: [lookup, 'PUT contacts/9'], last: { name: 'Ada' } },
    });
  });

  it('is never one that merely lacks what the event lacks', async () => {
    const [payload] = trengo.transform(identify, SETTINGS);
    const lookup = 'GET contacts?page=1&term=n%2Fa';
    const vendor = new Vendor('https://app.trengo.com/api/v2/', { [lookup]: { data: [contact(9, { phone: '-' })] } });
    await vendor.take(trengoDeliver, payload ? [{ ...payload, params: { identifier: 'n/a' } }] : [], SETTINGS);
    expect(vendor.names).toEqual([lookup, CREATE]);
  });

  it('is left as it is when it has no name', async () => {
    const nameless = { ...identify, traits: { email: 'ada@example.com' } };
    expect(await deliver(nameless, found(known))).toMatchObject({ names: [LOOKUP], status: 200 });
  });

  it('is not looked up without deduplication', async () => {
    expect(await deliver(identify, {}, { enableDedup: false })).toMatchObject({ names: [CREATE], status: 200 });
  });
});

describe('a ticket on the way to Trengo', () => {
  it('has the contact that was found', async () => {
    expect(await deliver(track, found(known))).toEqual({
      ...{ names: [LOOKUP, 'POST tickets'], status: 200, last: { channel_id: '12', contact_id: 7 } },
    });
  });

  it('is refused when nobody was found', async () => {
    expect(await deliver(track, found())).toMatchObject({ names: [LOOKUP], status: 400 });
  });
});
