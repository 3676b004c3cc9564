import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { sendPayload } from '../../delivery/send-payload.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { customerioDeletion } from './customerio.deletion.js';
import { deviceCall, eventCall, personOf, screenName } from './customerio.events.js';
import { attributesOf, mergeOf, objectOf, withPerson } from './customerio.people.js';
import { customerioRequests } from './customerio.requests.js';

/** Track API, https://docs.customer.io/integrations/api/track/ */
const HOSTS = { us: 'https://track.customer.io/api', eu: 'https://track-eu.customer.io/api' };

/** 500 KB per request. Only `/v2/batch`, which takes objects, accepts several. */
const objects = kit.batchBodies('batch', { itemsMax: 500, bytesMax: 480_000 });
const isObjectCall = ({ endpoint, body }: Payload) => endpoint.endsWith('/v2/batch') && !('batch' in body.JSON);

export default defineKind({
  name: 'CUSTOMERIO',
  displayName: 'Customer.io',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.required(kit.secret('Track API key')),
    siteID: kit.required(kit.text('Site id')),
    datacenter: kit.asAddress(kit.words(['US', 'EU'], 'Region of the workspace: `EU`, anything else means US')),
    deviceTokenEventName: kit.text(
      'Event that registers a device, beside Application Installed and Application Opened',
    ),
  },
  example: { siteID: 'site-1', datacenter: 'US' },
  requests: customerioRequests,
  transform(given, config) {
    const host = config['datacenter'] === 'EU' ? HOSTS.eu : HOSTS.us;
    const headers = kit.basicAuth(kit.requiredText(config, 'siteID'), kit.requiredText(config, 'apiKey'));
    const event = withPerson(given);
    const userId = kit.textAt(event, kit.USER_ID);
    const call = (method: string, path: string, body: JsonObject = {}): Payload[] => [
      kit.restPayload({ method, endpoint: `${host}/${path}`, headers, body: { JSON: body }, userId }),
    ];
    const eventOf = (type: 'event' | 'page', name: string | undefined) => {
      const device = deviceCall(event, config, name);
      return device ? call(...device) : call('POST', ...eventCall(event, type, name));
    };
    return kit.byType(event, {
      identify: () => {
        const person = personOf(event) ?? kit.refuse('userId or traits.email is required');
        return call('PUT', `v1/customers/${kit.pathSegment(person)}`, attributesOf(event));
      },
      track: () => {
        if (typeof event['event'] === 'number') kit.refuse('the name of the event must be a text');
        return eventOf('event', kit.eventName(event));
      },
      page: () => {
        return eventOf('page', kit.textAt(event, ['name', 'properties.url']));
      },
      screen: () => eventOf('event', screenName(event)),
      group: () => call('POST', 'v2/batch', objectOf(event)),
      alias: () => call('POST', 'v1/merge_customers', mergeOf(event)),
    });
  },
  batch: { ...objects, keyOf: (payload) => (isObjectCall(payload) ? objects.keyOf(payload) : undefined) },
  /** An object sent alone is a batch of one. */
  deliver: (payload, _config, outbound, options) =>
    sendPayload(isObjectCall(payload) ? objects.combine([payload]) : payload, outbound, options),
  deletion: customerioDeletion,
});
