import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../../test/deletion.fixtures.js';
import { ada, jsonOf, payloadsOf } from '../../../test/events.fixtures.js';
import type { Payload } from '../../kind.js';
import sendgrid from './sendgrid.js';

const config = { apiKey: 'SG.k' };
const json = (event: JsonObject, more: JsonObject = {}) =>
  jsonOf('SENDGRID', { ...ada, ...event }, { ...config, ...more });

describe('a user for SendGrid', () => {
  const traits = { email: 'ada@example.com', firstName: 'Ada', phone: 49, plan: 'pro' };
  const identify = { type: 'identify', traits };

  it('is a contact', () => {
    expect(json(identify)).toEqual({
      contactDetails: { email: 'ada@example.com', first_name: 'Ada', phone_number: '49', custom_fields: {} },
      contactListIds: '',
    });
    expect(payloadsOf('SENDGRID', { ...ada, ...identify }, config)).toMatchObject([
      { method: 'PUT', endpoint: 'https://api.sendgrid.com/v3/marketing/contacts', userId: 'ada' },
    ]);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ traits: {}, context: { traits: { email: 'c@b.c' } } }, { email: 'c@b.c' }],
    [
      { traits: {}, properties: { email: 'p@b.c', phone: '1' } },
      { email: 'p@b.c', phone_number: '1' },
    ],
    [{ traits: { firstname: 'Ada', last_name: 'King' } }, { first_name: 'Ada', last_name: 'King' }],
    [{ traits: { name: 'Ada King' } }, { unique_name: 'Ada King' }],
    [{ traits: { address: ' Via Po ' } }, { address_line_1: 'Via Po' }],
    [
      { traits: { address: { street: 'Via Po', number: 1, city: 'Turin', more: {}, none: null } } },
      { address_line_1: 'Via Po 1 Turin', city: 'Turin' },
    ],
    [
      { traits: { region: 'TO', country: 'IT', state: 'x', city: 'x' } },
      { state_province_region: 'TO', country: 'IT' },
    ],
    [{ traits: { postal_code: 10123 } }, { postal_code: '10123' }],
    [{ traits: { address: { zip_code: '1' } } }, { address_line_1: '1', postal_code: '1' }],
    [{ traits: { address: { zip: '1', zipcode: '2' } } }, { address_line_1: '1 2', postal_code: '2' }],
    [{ traits: { whatsappNumber: 'w', facebookUrl: 'f' } }, { whatsapp: 'w', facebook: 'f' }],
  ])('of %j has %j', (event, expected) => {
    const { traits: own, ...more } = event;
    const sent = { type: 'identify', traits: { email: 'a@b.c', ...(own as JsonObject) }, ...more };
    if (event['context'] || event['properties']) sent.traits.email = '';
    expect(json(sent)['contactDetails']).toEqual({ email: 'a@b.c', custom_fields: {}, ...expected });
  });

  const customFieldsMapping = [
    { from: 'plan', to: 'tariff' },
    { from: 'seats', to: 'seats' },
  ];
  it.each<[JsonObject, JsonObject]>([
    [{ traits: { email: 'a@b.c', plan: 'pro', seats: 0 } }, { tariff: 'pro' }],
    [{ traits: { email: 'a@b.c', plan: 'pro' }, context: { traits: { seats: 2 } } }, { seats: 2 }],
  ])('of %j has custom fields by name', (event, fields) => {
    expect(json({ type: 'identify', ...event }, { customFieldsMapping })).toMatchObject({
      contactDetails: { custom_fields: fields },
    });
  });

  it.each<[unknown, string, unknown]>([
    [['l3', 'l2'], 'l1', 'l1,l2,l3'],
    ['l0', 'l1', 'l0,l1'],
    [undefined, 'l1', 'l1'],
    ['', '', ''],
  ])('is on the lists %j and %s', (id, listId, lists) => {
    const externalId = [
      { type: 'other', id: 'x' },
      { type: 'listIds', id },
    ];
    expect(json({ ...identify, context: { externalId } }, { listId })['contactListIds']).toBe(lists);
  });

  it('needs an e-mail address', () => {
    const context = { externalId: [{ id: 'a@b.c' }] };
    expect(() => json({ type: 'identify', traits: { phone: '1' }, context })).toThrow('email is required');
  });

  it('shares a request with those of the same lists', () => {
    const rule = sendgrid.batch?.(config);
    const [one, other] = ['a@x', 'b@x'].flatMap((email) =>
      payloadsOf('SENDGRID', { ...ada, ...identify, traits: { email } }, { ...config, listId: 'l1' }),
    ) as [Payload, Payload];
    expect(rule?.keyOf(one)).toBe(rule?.keyOf(other));
    expect(rule?.combine([one, other]).body.JSON).toEqual({
      list_ids: ['l1'],
      contacts: [
        { email: 'a@x', external_id: 'ada', custom_fields: {} },
        { email: 'b@x', external_id: 'ada', custom_fields: {} },
      ],
    });
  });

  it('needs no list and no id, and is sent alone or not at all', () => {
    const [payload] = payloadsOf('SENDGRID', { type: 'identify', traits: { email: 'a@x' } }, config) as [Payload];
    const rule = sendgrid.batch?.(config);
    expect(rule?.keyOf(payload)).toBe('');
    expect(rule?.combine([payload]).body.JSON).toEqual({ contacts: [{ email: 'a@x', custom_fields: {} }] });
    expect(rule?.keyOf({ ...payload, body: { ...payload.body, JSON: {} } })).toBeUndefined();
    expect(() => rule?.combine([])).toThrow(TypeError);
  });

  it('is sent with the ids that SendGrid gives to the names of fields, asked for once', async () => {
    const mapping = [
      { from: 'plan', to: 'tariff' },
      { from: 'phone', to: 'unknown' },
    ];
    const own = { ...config, apiKey: 'SG.fields', customFieldsMapping: mapping };
    const [payload] = payloadsOf('SENDGRID', identify, own) as [Payload];
    const fields = { custom_fields: [{ id: 'e1_T', name: 'tariff' }] };
    const { outbound, sent } = answering([{ status: 200, body: fields }, { status: 202 }, { status: 202 }]);
    for (const _ of [1, 2]) {
      expect(await sendgrid.deliver?.(payload, own, outbound, {})).toMatchObject({ status: 202 });
    }
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT']);
    expect(JSON.parse(sent[1]?.body ?? '')).toMatchObject({ contacts: [{ custom_fields: { e1_T: 'pro' } }] });
    expect(sent[1]?.body).not.toContain('unknown');
  });

  it('has no custom fields where SendGrid knows none, and is not looked up without any', async () => {
    const own = { ...config, apiKey: 'SG.none', customFieldsMapping: [{ from: 'plan', to: 'tariff' }] };
    const [custom] = payloadsOf('SENDGRID', identify, own) as [Payload];
    const [plain] = payloadsOf('SENDGRID', identify, config) as [Payload];
    const { outbound, sent } = answering([{ status: 200, body: 'no JSON' }]);
    const [rule] = [sendgrid.batch?.(own)];
    for (const payload of [custom, rule?.combine([custom, plain]), plain]) {
      await sendgrid.deliver?.(payload as Payload, own, outbound, {});
    }
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'PUT', 'PUT', 'PUT']);
    expect(sent.map(({ body }) => body).join()).not.toContain('tariff');
  });

  it('waits when the fields cannot be asked for', async () => {
    const own = { ...config, apiKey: 'SG.down', customFieldsMapping: [{ from: 'plan', to: 'tariff' }] };
    const [payload] = payloadsOf('SENDGRID', identify, own) as [Payload];
    const { outbound, sent } = answering([{ status: 503 }]);
    expect(await sendgrid.deliver?.(payload, own, outbound, {})).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });
});
