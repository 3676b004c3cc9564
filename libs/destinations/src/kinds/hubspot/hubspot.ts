import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { hubspotBatch } from './hubspot.batch.js';
import { contactOf, legacyContactOf, mappedRecordOf } from './hubspot.contacts.js';
import { hubspotDeliver } from './hubspot.deliver.js';
import { completionOf, legacyEventOf } from './hubspot.events.js';
import { hubspotRequests } from './hubspot.requests.js';

export default defineKind({
  name: 'HS',
  displayName: 'HubSpot',
  messageTypes: ['identify', 'track'],
  transformAtV1: 'router',
  config: {
    authorizationType: kit.words(['newPrivateAppApi', 'legacyApiKey'], 'newPrivateAppApi: HubSpot has ended API keys'),
    hubID: kit.anything('Number of the account. Events of the legacy API need it'),
    apiKey: kit.secret('Not taken by HubSpot any more'),
    accessToken: kit.secret(
      'Access token of a private app with crm.objects.contacts, crm.schemas.contacts.read and behavioral events',
    ),
    apiVersion: kit.words(
      ['newApi', 'legacyApi'],
      '`newApi` for new destinations; anything else means the legacy API, which ends in September 2027',
    ),
    lookupField: kit.text('Property by which the new API knows a contact, such as email'),
    contactProperties: kit.listOf(
      ['from', 'to'],
      'Traits whose property has another name: a trait in `from`, the internal name in `to`',
    ),
    hubspotEvents: {
      schema: {
        type: ['array', 'null'],
        maxItems: 500,
        description: 'Events: rsEventName, hubspotEventName and eventProperties as a list of from and to',
        items: { type: 'object' },
      },
    },
  },
  example: {
    ...{ authorizationType: 'newPrivateAppApi', apiVersion: 'newApi', lookupField: 'email' },
    hubspotEvents: [{ rsEventName: 'Order Completed', hubspotEventName: 'pe1_order', eventProperties: [] }],
  },
  requests: hubspotRequests,
  transform(event, config) {
    if (config['authorizationType'] === 'legacyApiKey')
      kit.refuse('HubSpot has ended API keys: use the access token of a private app');
    const headers = kit.bearerAuth(kit.requiredText(config, 'accessToken'));
    return kit.byType(event, {
      identify: () => [identify(event, config, headers)],
      track: () => [isCurrent(config) ? completionOf(event, config, headers) : legacyEventOf(event, config, headers)],
    });
  },
  batch: hubspotBatch,
  deliver: hubspotDeliver,
});

const isCurrent = (config: JsonObject) => config['apiVersion'] === 'newApi';

function identify(event: JsonObject, config: JsonObject, headers: Record<string, string>): Payload {
  if (kit.valueAt(event, 'context.mappedToDestination')) return mappedRecordOf(event, headers);
  return isCurrent(config) ? contactOf(event, config, headers) : legacyContactOf(event, config, headers);
}
