import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { answering } from '../../test/deletion.fixtures.js';
import { ada, jsonOf, payloadsOf } from '../../test/events.fixtures.js';
import type { Payload } from '../kind.js';
import { sendgrid } from './sendgrid.kind.js';

const config = {
  apiKey: 'SG.k',
  eventNamesSettings: [{ event: 'Paid' }],
  subject: 'Thanks',
  fromEmail: 'shop@example.com',
};
const contents = [
  { type: 'text/plain', value: 'Hello' },
  { type: 'text/html', value: '' },
];
const json = (event: JsonObject, more: JsonObject = {}) =>
  jsonOf('SENDGRID', { ...ada, ...event }, { ...config, ...more });
const to = [{ email: 'ada@example.com' }, { name: 'no address' }];
const paid = (properties: JsonObject = {}) => ({
  type: 'track',
  event: 'paid',
  properties: { personalizations: [{ to }], ...properties },
});

describe('a user for SendGrid', () => {
  const traits = { email: 'ada@example.com', firstName: 'Ada', phone: 49, plan: 'pro' };
  const identify = { type: 'identify', traits };

  it('is a contact with lists and custom fields by name', () => {
    const more = { listId: 'l1', customFieldsMapping: [{ from: 'plan', to: 'tariff' }] };
    expect(json(identify, more)).toEqual({
      contactDetails: {
        email: 'ada@example.com',
        first_name: 'Ada',
        phone_number: '49',
        custom_fields: { tariff: 'pro' },
      },
      contactListIds: 'l1',
    });
    const externalId = [{ type: 'listIds', id: ['l2', 'l3'] }];
    expect(json({ ...identify, context: { externalId } }, more)).toMatchObject({ contactListIds: 'l2,l3' });
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

  it('waits when the fields cannot be asked for', async () => {
    const own = { ...config, apiKey: 'SG.down', customFieldsMapping: [{ from: 'plan', to: 'tariff' }] };
    const [payload] = payloadsOf('SENDGRID', identify, own) as [Payload];
    const { outbound, sent } = answering([{ status: 503 }]);
    expect(await sendgrid.deliver?.(payload, own, outbound, {})).toMatchObject({ status: 503 });
    expect(sent).toHaveLength(1);
  });
});

describe('an event for SendGrid', () => {
  it('is a mail to those who have an address', () => {
    expect(json(paid(), { contents, replyToEmail: 'help@example.com' })).toEqual({
      from: { email: 'shop@example.com' },
      reply_to: { email: 'help@example.com' },
      subject: 'Thanks',
      personalizations: [{ to: [{ email: 'ada@example.com' }] }],
      content: [{ type: 'text/plain', value: 'Hello' }],
    });
  });

  it('says more about itself than the configuration', () => {
    const own = {
      subject: 'Hi',
      from: { email: 'me@example.com' },
      mailSettings: { footer: true, sandboxMode: false },
    };
    const more = {
      footerText: 'bye',
      sandboxMode: true,
      group: '7',
      groupsToDisplay: [{ groupId: '8' }, { groupId: 'x' }],
    };
    expect(json(paid(own), more)).toMatchObject({
      ...{ subject: 'Hi', from: { email: 'me@example.com' }, asm: { group_id: 7, groups_to_display: [8] } },
      mail_settings: { footer: { enable: true, text: 'bye' } },
    });
  });

  it('goes to the address of the traits where the configuration says so', () => {
    const event = { type: 'track', event: 'Paid', context: { traits: { email: 'ada@example.com' } } };
    expect(json(event, { mailFromTraits: true })).toMatchObject({
      personalizations: [{ to: [{ email: 'ada@example.com' }] }],
    });
  });

  it('is followed as the configuration says', () => {
    const more = { clickTracking: true, clickTrackingEnableText: false, ganalytics: true, utmSource: 'weir' };
    expect(json(paid(), more)).toMatchObject({
      tracking_settings: { click_tracking: { enable: true, enable_text: false }, ganalytics: { utm_source: 'weir' } },
    });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ type: 'identify', traits: { phone: '1' } }, {}],
    [{ ...paid(), event: 'Left' }, {}],
    [{ type: 'track', event: 'Paid' }, {}],
    [paid(), { apiKey: '' }],
    [{ type: 'page' }, {}],
  ])('is refused: %j with %j', (event, more) => {
    expect(() => json(event, more)).toThrow(expect.objectContaining({ code: 'invalid' }));
  });
});
