import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { ada, jsonOf } from '../../../test/events.fixtures.js';

const contents = [
  { type: 'text/plain', value: 'Hello' },
  { type: 'text/html', value: '' },
];
const config = {
  ...{ apiKey: 'SG.k', eventNamesSettings: [{ event: ' Paid ' }], subject: 'Thanks', contents },
  fromEmail: 'shop@example.com',
};
const json = (event: JsonObject, more: JsonObject = {}) =>
  jsonOf('SENDGRID', { ...ada, type: 'track', event: 'PAID ', ...event }, { ...config, ...more });
const to = [{ email: 'ada@example.com', name: 'Ada' }, { name: 'no address' }];
const paid = (properties: JsonObject = {}, more: JsonObject = {}) =>
  json({ properties: { personalizations: [{ to }], ...properties } }, more);

const CONFIGURED = {
  from: { email: 'shop@example.com' },
  subject: 'Thanks',
  personalizations: [{ to: [{ email: 'ada@example.com', name: 'Ada' }] }],
  content: [{ type: 'text/plain', value: 'Hello' }],
};

describe('a mail of SendGrid', () => {
  it('goes to those who have an address', () => {
    const personalizations = [{ to, subject: 'Hi', custom: 1 }, { to: [{ name: 'nobody' }] }, {}, 'text'];
    expect(paid()).toEqual(CONFIGURED);
    expect(paid({ personalizations })['personalizations']).toEqual([{ to: to.slice(0, 1), subject: 'Hi', custom: 1 }]);
  });

  it('goes to the address of the traits, if configured and if it names nobody', () => {
    const traits = { email: 't@example.com' };
    const more = { mailFromTraits: true };
    const toTraits = { personalizations: [{ to: [{ email: 't@example.com' }] }] };
    expect(json({ traits, properties: {} }, more)).toEqual({ ...CONFIGURED, ...toTraits });
    expect(json({ context: { traits }, properties: {} }, more)).toMatchObject(toTraits);
    expect(json({ traits, properties: { personalizations: [{ to }] } }, more)).toEqual(CONFIGURED);
  });

  it.each<[JsonObject, JsonObject]>([
    [{ fromName: 'Shop' }, { from: { email: 'shop@example.com', name: 'Shop' } }],
    [{ replyToEmail: 'r@b.c', replyToName: 'Help' }, { reply_to: { email: 'r@b.c', name: 'Help' } }],
    [{ replyToName: 'Help' }, {}],
    [
      { templateId: 'd-1', contents: null },
      { template_id: 'd-1', content: undefined },
    ],
    [{ IPPoolName: 'pool' }, { ip_pool_name: 'pool' }],
    [{ IPPoolName: 'x' }, {}],
    [{ IPPoolName: 'x'.repeat(65) }, {}],
    [{ attachments: [{ content: 'x', filename: '' }] }, {}],
    [
      { attachments: [{ content: 'x', filename: 'f', contentId: 'c', type: '' }] },
      { attachments: [{ content: 'x', filename: 'f', content_id: 'c' }] },
    ],
    [
      { group: '7', groupsToDisplay: [{ groupId: '8' }, { groupId: 'x' }] },
      { asm: { group_id: 7, groups_to_display: [8] } },
    ],
    [{ group: 7 }, { asm: { group_id: 7 } }],
    [{ group: 'x', groupsToDisplay: [{ groupId: '8' }] }, {}],
    [{ footer: true, footerText: 'bye', footerHtml: '' }, { mail_settings: { footer: { enable: true, text: 'bye' } } }],
    [{ sandboxMode: true }, { mail_settings: { sandbox_mode: { enable: true } } }],
    [{ footerText: 'bye', sandboxMode: false, bypassListManagement: true }, {}],
    [{ clickTracking: true }, { tracking_settings: { click_tracking: { enable: true, enable_text: false } } }],
    [
      { clickTrackingEnableText: true },
      { tracking_settings: { click_tracking: { enable: false, enable_text: true } } },
    ],
    [
      { openTracking: true, openTrackingSubstitutionTag: '%o%' },
      { tracking_settings: { open_tracking: { enable: true, substitution_tag: '%o%' } } },
    ],
    [
      { subscriptionTracking: true, text: 't', html: 'h', substitutionTag: 's' },
      { tracking_settings: { subscription_tracking: { enable: true, text: 't', html: 'h', substitution_tag: 's' } } },
    ],
    [
      { ganalytics: true, utmSource: 's', utmMedium: 'm', utmTerm: 't', utmContent: 'c', utmCampaign: 'x' },
      {
        tracking_settings: {
          ganalytics: {
            enable: true,
            utm_source: 's',
            utm_medium: 'm',
            utm_term: 't',
            utm_content: 'c',
            utm_campaign: 'x',
          },
        },
      },
    ],
  ])('configured with %j has %j', (more, expected) => {
    expect(paid({}, more)).toEqual({ ...CONFIGURED, ...expected });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ from: { email: 'me@b.c' } }, { from: { email: 'me@b.c' } }],
    [{ from: 'me@b.c' }, {}],
    [{ replyTo: { email: 'me@b.c' } }, { reply_to: { email: 'me@b.c' } }],
    [{ replyTo: { name: 'me' } }, { reply_to: { email: 'r@b.c' } }],
    [{ replyToList: [{ email: 'me@b.c' }] }, { reply_to_list: [{ email: 'me@b.c' }] }],
    [{ subject: 'Hi' }, { subject: 'Hi' }],
    [{ templateId: 'd-1' }, { template_id: 'd-1' }],
    [{ content: [{ type: 'a', value: 'b' }] }, { content: [{ type: 'a', value: 'b' }] }],
    [
      { attachments: [{ content: 'x' }, { content: 'x', filename: 'f' }] },
      { attachments: [{ content: 'x', filename: 'f' }] },
    ],
    [{ categories: ['a', 1, { b: 2 }, null] }, { categories: ['a', '1', '{"b":2}', 'null'] }],
    [{ categories: [...'abcdefghijkl'] }, { categories: [...'abcdefghij'] }],
    [
      { headers: { a: 'b' }, sendAt: 5, batchId: 'b' },
      { headers: { a: 'b' }, send_at: 5, batch_id: 'b' },
    ],
    [{ headers: 'a' }, {}],
    [{ customArgs: { a: 'b' }, other: 1 }, { custom_args: { a: 'b' } }],
    [
      { order: { id: 1 }, asm: {}, IPPoolName: 'p', trackingSettings: { ganalytics: true } },
      { custom_args: { order: { id: 1 } } },
    ],
  ])('of an event with %j has %j', (properties, expected) => {
    const more = { replyToEmail: 'r@b.c' };
    expect(paid(properties, more)).toEqual({ ...CONFIGURED, reply_to: { email: 'r@b.c' }, ...expected });
  });

  it.each<[JsonObject, JsonObject]>([
    [{ footer: true, footerText: 'own' }, { footer: { enable: true, text: 'own' } }],
    [{ footer: false, sandboxMode: true }, { sandbox_mode: { enable: true } }],
    [{ bypassListManagement: true, bypassSpamManagement: true }, { bypass_list_management: { enable: true } }],
    [
      { bypassSpamManagement: true, bypassBounceManagement: true },
      { bypass_spam_management: { enable: true }, bypass_bounce_management: { enable: true } },
    ],
    [
      { bypassUnsubscribeManagement: true, bypassListManagement: false },
      { bypass_unsubscribe_management: { enable: true } },
    ],
  ])('is sent with its settings %j', (mailSettings, expected) => {
    expect(paid({ mailSettings })['mail_settings']).toEqual(expected);
  });

  it('cannot switch off what is configured', () => {
    const sent = paid({ mailSettings: { footer: false } }, { footer: true, footerText: 'bye' });
    expect(sent['mail_settings']).toEqual({ footer: { enable: true, text: 'bye' } });
  });

  it.each<[JsonObject, JsonObject, string]>([
    [{ event: '' }, {}, 'Event name is required'],
    [{ event: 'Left' }, {}, 'does not name the event'],
    [{ properties: { personalizations: [] } }, {}, 'needs properties.personalizations'],
    [{ properties: { personalizations: [{ to: [{ name: 'nobody' }] }] } }, {}, 'needs properties.personalizations'],
    [{ properties: {} }, { mailFromTraits: true }, 'an address in the traits'],
    [{ traits: { email: 'a@b.c' } }, { mailFromTraits: true }, 'a mail needs properties'],
    [{ properties: { personalizations: [{ to }] } }, { contents: [] }, 'a template or content'],
    [{ properties: { personalizations: [{ to }] } }, { fromEmail: '' }, 'from.email'],
    [{ properties: { personalizations: [{ to }], from: { name: 'x' } } }, {}, 'from.email'],
    [{ properties: { personalizations: [{ to }] } }, { apiKey: '' }, 'apiKey'],
    [{ type: 'page' }, {}, 'not supported'],
  ])('is refused: %j with %j', (event, more, reason) => {
    expect(() => json(event, more)).toThrow(reason);
  });
});
