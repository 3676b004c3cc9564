import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { contactFields, contactKey, optionsOf } from './emarsys.contact.js';
import { emarsysDeletion } from './emarsys.deletion.js';
import { emarsysBatch, emarsysDeliver } from './emarsys.deliver.js';
import { emarsysRequests } from './emarsys.requests.js';

/** https://dev.emarsys.com, Core API. */
const API = 'https://api.emarsys.net/api/v2';

const TRIGGER: kit.Mapping = {
  data: { from: 'properties.data', as: kit.onlyObject },
  attachment: { from: 'properties.attachment', as: kit.onlyArray },
  event_time: { from: kit.TIMESTAMP, as: kit.onlyText },
};

export default defineKind({
  name: 'EMARSYS',
  displayName: 'Emarsys',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    emersysUsername: kit.secret('API user name'),
    emersysUserSecret: kit.secret('API user secret'),
    eventsMapping: kit.listOf(['from', 'to'], 'External event of Emarsys in `to` for the event in `from`'),
    emersysCustomIdentifier: kit.text('Number of the field that identifies contacts. Default: 3, the email address'),
    defaultContactList: kit.text('Contact list, unless an event names one'),
    discardEmptyProperties: kit.flag(
      'Empty traits leave the fields of a contact as they are. Otherwise they clear them',
    ),
    fieldMapping: kit.field({
      type: 'array',
      maxItems: 1_000,
      items: {
        type: 'object',
        properties: { rudderProperty: { type: 'string' }, emersysProperty: { type: ['string', 'number'] } },
      },
      description: 'Properties and the numbers of the fields that hold them',
    }),
  },
  example: { fieldMapping: [], eventsMapping: [{ from: 'Order Completed', to: '7' }], defaultContactList: '70' },
  requests: emarsysRequests,
  transform(event, config) {
    for (const key of ['emersysUsername', 'emersysUserSecret']) kit.requiredText(config, key);
    const send = (method: string, path: string, body: JsonObject) => [
      kit.restPayload({
        ...{ method, endpoint: `${API}/${path}`, body: { JSON: body } },
        headers: { accept: 'application/json', 'content-type': 'application/json' },
      }),
    ];
    return kit.byType(event, {
      identify: () => {
        const { key_id, value } = contactKey(event, config);
        const contact = { ...contactFields(event, config), [String(key_id)]: value };
        const list = kit.withoutEmpty({ contact_list_id: listOf(event, config) });
        return send('PUT', 'contact/?create_if_not_exists=1', { key_id, contacts: [contact], ...list });
      },
      group: () => {
        const list =
          listOf(event, config) || kit.refuse('integrations.EMARSYS.contactListId or defaultContactList is required');
        const { key_id, value } = contactKey(event, config);
        return send('POST', `contactlist/${kit.pathSegment(list)}/add`, { key_id, external_ids: [value] });
      },
      track: () => {
        const path = `event/${kit.pathSegment(triggerOf(event, config))}/trigger`;
        const { key_id, value } = contactKey(event, config);
        const trigger_id = kit.toText(kit.onlyId(optionsOf(event)['trigger_id']));
        const body = { key_id, external_id: value, ...kit.withoutEmpty({ trigger_id }) };
        return send('POST', path, { ...body, ...kit.mapFields(event, TRIGGER) });
      },
    });
  },
  batch: emarsysBatch,
  signatureHeaders: ['x-wsse'],
  deliver: emarsysDeliver,
  deletion: emarsysDeletion,
});

const listOf = (event: JsonObject, config: JsonObject): string =>
  kit.textAt(optionsOf(event), 'contactListId') ?? kit.configText(config, 'defaultContactList');

/** The external event that is configured for the name of an event. */
function triggerOf(event: JsonObject, config: JsonObject): string {
  const name = kit.eventName(event).trim().toLowerCase();
  const mapped = kit.configPairs(config, 'eventsMapping').find(([from]) => from.toLowerCase() === name);
  return mapped?.[1] ?? kit.refuse('eventsMapping has no external event for the name of the event');
}
