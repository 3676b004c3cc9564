import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { settingsOf } from './sendgrid.settings.js';

/** https://www.twilio.com/docs/sendgrid/api-reference/mail-send/mail-send */
const MAIL = 'https://api.sendgrid.com/v3/mail/send';
const CATEGORIES_MAX = 10;

/** The fields of a mail that an event may set, under SendGrid's names. They win over the configuration. */
const OWN: kit.Mapping = {
  from: { from: 'properties.from', as: kit.onlyObject },
  reply_to: { from: 'properties.replyTo', as: withAddress },
  reply_to_list: { from: 'properties.replyToList', as: kit.onlyArray },
  subject: 'properties.subject',
  template_id: 'properties.templateId',
  content: { from: 'properties.content', as: kit.onlyArray },
  attachments: { from: 'properties.attachments', as: attachmentsOf },
  categories: { from: 'properties.categories', as: categoriesOf },
  headers: { from: 'properties.headers', as: kit.onlyObject },
  send_at: { from: 'properties.sendAt', as: kit.toInteger },
  batch_id: 'properties.batchId',
};
/** Properties that are not custom arguments. */
const READ = [
  ...['personalizations', 'from', 'replyTo', 'replyToList', 'subject', 'content', 'attachments', 'templateId'],
  ...['headers', 'categories', 'sendAt', 'batchId', 'customArgs', 'asm', 'IPPoolName', 'mailSettings'],
  'trackingSettings',
];

/** A mail for an event that the configuration names. */
export function mailCall(event: JsonObject, config: JsonObject): Payload {
  const names = kit.configWords(config, 'eventNamesSettings', 'event').map((name) => name.toLowerCase());
  if (!names.includes(kit.eventName(event).trim().toLowerCase())) {
    kit.refuse('eventNamesSettings of the configuration does not name the event');
  }
  if (!isJsonObject(event['properties'])) kit.refuse('a mail needs properties');
  const mail: JsonObject = {
    ...configured(config),
    ...kit.mapFields(event, OWN),
    custom_args: customArgs(event),
    personalizations: recipientsOf(event, config),
    ...settingsOf(event, config),
  };
  if (kit.isEmpty(mail['template_id']) && kit.isEmpty(mail['content']))
    kit.refuse('a mail needs a template or content');
  if (kit.isEmpty(mail['personalizations'])) {
    kit.refuse('a mail needs properties.personalizations, or an address in the traits, with mailFromTraits');
  }
  if (!kit.valueAt(mail, 'from.email')) kit.refuse('a mail needs properties.from.email or fromEmail');
  const headers = kit.bearerAuth(kit.requiredText(config, 'apiKey'));
  return kit.jsonRequest(MAIL, kit.withoutEmpty(mail), { headers });
}

/** The event's own recipients that have an address. Without any of its own, that of the traits, if configured. */
function recipientsOf(event: JsonObject, config: JsonObject): JsonObject[] {
  const given = kit.valueAt(event, 'properties.personalizations');
  const address = kit.textAt(event, kit.TRAIT_EMAIL);
  if (!given && kit.isOn(config, 'mailFromTraits')) return address === undefined ? [] : [{ to: [{ email: address }] }];
  return kit
    .objectsOf(given)
    .map((entry) => ({ ...entry, to: kit.objectsOf(entry['to']).filter(({ email }) => Boolean(email)) }))
    .filter(({ to }) => to.length > 0);
}

/** Its custom arguments, or otherwise all properties without a meaning of their own. */
function customArgs(event: JsonObject): JsonObject {
  const properties = kit.objectAt(event, 'properties');
  const { customArgs: own } = properties;
  return isJsonObject(own) ? own : kit.omit(properties, READ);
}

function configured(config: JsonObject): JsonObject {
  const text = (key: string) => kit.configText(config, key);
  const pool = text('IPPoolName');
  return kit.withoutEmpty({
    from: kit.withoutEmpty({ email: text('fromEmail'), name: text('fromName') }),
    reply_to: withAddress(kit.withoutEmpty({ email: text('replyToEmail'), name: text('replyToName') })),
    subject: text('subject'),
    template_id: text('templateId'),
    content: kit.configList(config, 'contents').filter(({ type, value }) => Boolean(type) && Boolean(value)),
    attachments: attachmentsOf(config['attachments']),
    ip_pool_name: pool.length >= 2 && pool.length <= 64 ? pool : undefined,
  });
}

function withAddress(person: unknown): JsonObject | undefined {
  return isJsonObject(person) && person['email'] ? person : undefined;
}

/** SendGrid refuses attachments without content or a name. */
function attachmentsOf(list: unknown): JsonObject[] {
  return kit
    .objectsOf(list)
    .filter(({ content, filename }) => Boolean(content) && Boolean(filename))
    .map(({ contentId, ...rest }) => kit.withoutEmpty({ content_id: contentId, ...rest }));
}

function categoriesOf(list: unknown): string[] {
  return [list]
    .flat()
    .slice(0, CATEGORIES_MAX)
    .map((category) => kit.toText(category) ?? 'null');
}
