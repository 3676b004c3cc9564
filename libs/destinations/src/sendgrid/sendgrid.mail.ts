import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const MAIL = 'https://api.sendgrid.com/v3/mail/send';

/** Mail settings that an event may contain, under SendGrid's names. */
const OWN: kit.Mapping = {
  from: { from: 'properties.from', as: kit.onlyObject },
  reply_to: { from: kit.property('replyTo', 'reply_to'), as: kit.onlyObject },
  subject: 'properties.subject',
  template_id: kit.property('templateId', 'template_id'),
  headers: { from: 'properties.headers', as: kit.onlyObject },
  categories: { from: 'properties.categories', as: kit.onlyArray },
  custom_args: { from: kit.property('customArgs', 'custom_args'), as: kit.onlyObject },
  send_at: { from: kit.property('sendAt', 'send_at'), as: kit.toInteger },
  batch_id: kit.property('batchId', 'batch_id'),
};

/** A mail for an event that the configuration names. */
export function mailCall(event: JsonObject, config: JsonObject): Payload {
  const names = kit.configWords(config, 'eventNamesSettings', 'event').map((name) => name.toLowerCase());
  if (!names.includes(kit.eventName(event).trim().toLowerCase())) {
    kit.refuse('eventNamesSettings of the configuration does not name the event');
  }
  const personalizations = personalizationsOf(event, config);
  if (personalizations.length === 0)
    kit.refuse('a mail needs properties.personalizations, or an address in the traits');
  const mail = { ...configured(config), ...kit.mapFields(event, OWN), personalizations };
  const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
  return kit.jsonRequest(MAIL, kit.withoutEmpty({ ...mail, ...settingsOf(event, config) }), { headers });
}

/** The recipients that have an address. */
function personalizationsOf(event: JsonObject, config: JsonObject): JsonObject[] {
  const address = kit.textAt(event, kit.trait('email'));
  if (kit.isOn(config, 'mailFromTraits') && address !== undefined) return [{ to: [{ email: address }] }];
  const given = kit.valueAt(event, 'properties.personalizations');
  const all = Array.isArray(given) ? given.filter(isJsonObject) : [];
  return all
    .map(({ to, ...rest }) => ({
      ...rest,
      to: [to].flat().filter((one) => isJsonObject(one) && Boolean(one['email'])),
    }))
    .filter(({ to }) => to.length > 0);
}

function configured(config: JsonObject): JsonObject {
  const text = (key: string) => kit.configText(config, key);
  return kit.withoutEmpty({
    from: person(text('fromEmail'), text('fromName')),
    reply_to: person(text('replyToEmail'), text('replyToName')),
    subject: text('subject'),
    template_id: text('templateId'),
    content: kit.configList(config, 'contents').filter(({ type, value }) => Boolean(type) && Boolean(value)),
    attachments: kit.configList(config, 'attachments').filter(isAttachment).map(attachment),
    ip_pool_name: text('IPPoolName'),
  });
}

const person = (email: string, name: string): JsonObject => (email === '' ? {} : kit.withoutEmpty({ email, name }));
const isAttachment = ({ content, filename }: JsonObject) => Boolean(content) && Boolean(filename);
const attachment = ({ contentId, ...rest }: JsonObject): JsonObject =>
  kit.withoutEmpty({ ...rest, content_id: contentId });

/** Settings switched on by the event, otherwise by the configuration. */
function settingsOf(event: JsonObject, config: JsonObject): JsonObject {
  const own = {
    ...kit.objectAt(event, 'properties.mailSettings'),
    ...kit.objectAt(event, 'properties.trackingSettings'),
  };
  const isOn = (key: string) => (typeof own[key] === 'boolean' ? own[key] : kit.isOn(config, key));
  const on = (key: string, more: JsonObject = {}) =>
    isOn(key) ? { enable: true, ...kit.withoutEmpty(more) } : undefined;
  const text = (key: string) => kit.configText(config, key);
  return {
    asm: unsubscribing(config),
    mail_settings: kit.withoutEmpty({
      bypass_list_management: on('bypassListManagement'),
      footer: on('footer', { text: text('footerText'), html: text('footerHtml') }),
      sandbox_mode: on('sandboxMode'),
    }),
    tracking_settings: kit.withoutEmpty({
      click_tracking: on('clickTracking', { enable_text: isOn('clickTrackingEnableText') }),
      open_tracking: on('openTracking', { substitution_tag: text('openTrackingSubstitutionTag') }),
      subscription_tracking: on('subscriptionTracking', {
        ...{ text: text('text'), html: text('html'), substitution_tag: text('substitutionTag') },
      }),
      ganalytics: on('ganalytics', {
        ...{ utm_source: text('utmSource'), utm_medium: text('utmMedium'), utm_term: text('utmTerm') },
        ...{ utm_content: text('utmContent'), utm_campaign: text('utmCampaign') },
      }),
    }),
  };
}

function unsubscribing(config: JsonObject): JsonObject {
  const groupId = kit.toInteger(config['group']);
  if (groupId === undefined) return {};
  const shown = kit.configList(config, 'groupsToDisplay').map((group) => kit.toInteger(group['groupId']));
  return kit.withoutEmpty({ group_id: groupId, groups_to_display: shown.filter((id) => id !== undefined) });
}
