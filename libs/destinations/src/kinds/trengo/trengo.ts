import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { API, trengoDeliver } from './trengo.deliver.js';

/** In characters. A subject is one line. */
const SUBJECT_LENGTH_MAX = 1_000;
const IDENTIFIERS = ['email', 'phone'] as const;
const PLACES = { email: kit.EMAIL, phone: kit.PHONE };

/** https://developers.trengo.com/reference: contacts of a channel, and tickets of a contact. */
export default defineKind({
  name: 'TRENGO',
  displayName: 'Trengo',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    apiToken: kit.secret('API token'),
    channelId: kit.text('Channel of contacts and tickets, unless the event names one'),
    channelIdentifier: kit.choice(IDENTIFIERS, 'How the channel knows its contacts'),
    enableDedup: kit.flag('Contacts that are known already are updated. Default: on'),
    eventTemplateMap: kit.listOf(['from', 'to'], 'Events that become tickets, and templates of their subjects'),
  },
  example: { channelId: '12', channelIdentifier: 'email', eventTemplateMap: [{ from: 'Order Completed', to: '' }] },
  requests: {
    'POST /api/v2/channels/{id}/contacts': kit.objectWith(['identifier', 'channel_id'], {
      ...{ identifier: kit.FILLED_TEXT, channel_id: kit.FILLED_TEXT, name: kit.FILLED_TEXT },
    }),
    'PUT /api/v2/contacts/{id}': kit.objectWith(['name'], { name: kit.FILLED_TEXT }),
    'POST /api/v2/tickets': kit.objectWith(['channel_id'], {
      ...{ channel_id: kit.FILLED_TEXT, contact_id: kit.FILLED_ID, subject: kit.FILLED_TEXT },
    }),
  },
  transform(event, config) {
    const headers = { accept: 'application/json', ...kit.bearerAuth(kit.requiredText(config, 'apiToken')) };
    const send = (method: string, path: string, body: JsonObject, params: JsonObject = {}) => [
      kit.jsonRequest(`${API}/${path}`, kit.compact(body), { method, headers, params }),
    ];
    const channel_id = kit.externalId(event, 'trengoChannelId') ?? kit.requiredText(config, 'channelId');
    const contact_id = kit.externalIdAsGiven(event, 'trengoContactId');
    return kit.byType(event, {
      identify: () => {
        const name = kit.fullNameOf(event);
        const isUpdated = kit.toBoolean(config.enableDedup) ?? true;
        if (isUpdated && contact_id !== undefined) {
          if (name === undefined) kit.refuse('traits.name is required: it is all that a contact is updated with');
          return send('PUT', `contacts/${kit.pathSegment(String(contact_id))}`, { name });
        }
        const identifier = identifierOf(event, config);
        const contact = { name, identifier, channel_id };
        const path = `channels/${kit.pathSegment(channel_id)}/contacts`;
        return send('POST', path, contact, isUpdated ? { identifier } : {});
      },
      track: () => {
        const ticket = { contact_id, channel_id, subject: subjectOf(event, config) };
        return send(
          'POST',
          'tickets',
          ticket,
          contact_id === undefined ? { identifier: identifierOf(event, config) } : {},
        );
      },
    });
  },
  deliver: trengoDeliver,
});

function identifierOf(event: JsonObject, config: JsonObject): string {
  const kind = IDENTIFIERS.find((identifier) => identifier === kit.requiredText(config, 'channelIdentifier'));
  if (kind === undefined) kit.refuse('channelIdentifier must be email or phone');
  const identifier = kit.textAt(event, PLACES[kind]);
  if (identifier === undefined) kit.refuse(`${kind} is required: it is read from ${PLACES[kind].join(', ')}`);
  // A contact without e-mail or phone would match an identifier that has nothing to compare.
  if (kind === 'email' && !kit.isEmail(identifier.trim())) kit.refuse('email must be an e-mail address');
  if (kind === 'phone' && kit.normalizedPhone(identifier) === '') kit.refuse('phone must have digits');
  return identifier;
}

/** Events that the configuration lists become tickets. A list may leave the template out. */
function subjectOf(event: JsonObject, config: JsonObject): string | undefined {
  const name = kit.eventName(event);
  const setting = kit
    .configList(config, 'eventTemplateMap')
    .find(({ from }) => kit.toText(from)?.trim() === name.trim());
  if (!setting) kit.refuse('eventTemplateMap does not list this event');
  const values = kit.merged(event, kit.objectAt(event, 'properties'), { event: name });
  const subject = kit.fillTemplate(kit.toText(setting['to']) ?? '', values, SUBJECT_LENGTH_MAX).trim();
  return subject || undefined;
}
