import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { sendable, woopraDeliver } from './woopra.deliver.js';

const API = 'https://www.woopra.com/track';

/** Parameters are texts, numbers and booleans. An object or a list is sent as JSON. */
const scalar: kit.Conversion = (value) => (kit.isScalar(value) ? value : undefined);
const flat: kit.Conversion = (value) => (kit.isScalar(value) ? value : kit.toText(value));
/** Keys of an object with a prefix, which tells Woopra whom or what they describe. */
const prefixed = (prefix: string, object: JsonObject): JsonObject =>
  kit.objectOf(Object.entries(kit.withoutEmpty(object)).map(([key, value]) => [prefix + key, flat(value)]));

/** Who a visitor is, beside the cookie. One of the three is required. */
const VISITOR: kit.Mapping = {
  cv_id: { from: kit.KNOWN_USER_ID, as: kit.onlyId },
  cv_email: { from: kit.EMAIL, as: scalar },
};
const MORE: kit.Mapping = {
  cv_name: { from: kit.FULL_NAME, as: scalar },
  cv_company: { from: kit.trait('company'), as: scalar },
  cv_ip: { from: 'context.ip', as: scalar },
  device: { from: 'context.device.type', as: scalar },
  os: { from: 'context.os.name', as: scalar },
};
const IDS = ['id', 'userId', 'email'];
/** Types of an external id that is a cookie. Instructions for senders of this event format spell it in the second way. */
const COOKIES = ['woopraId', 'woodpraId'];
const TIME: kit.Mapping = { timestamp: { from: kit.TIMESTAMP, as: [kit.toUnixMillis, kit.toText] } };
/** Keys by which a page call tells of its page. */
const PAGE = ['url', 'path', 'title', 'referrer', 'search'];

const PERSON = { anyOf: [{ required: ['cv_id'] }, { required: ['cv_email'] }, { required: ['cookie'] }] };
const schemaOf = (...required: string[]) => ({
  ...kit.objectWith(['Project', ...required], { Project: kit.FILLED_TEXT, event: kit.FILLED_TEXT }),
  ...PERSON,
  additionalProperties: { type: ['string', 'number', 'boolean'] },
});

/** https://docs.woopra.com/reference/intro-http-tracking: `cv_` begins properties of a visitor, and `ce_` those of an event. */
export default defineKind({
  name: 'WOOPRA',
  displayName: 'Woopra',
  messageTypes: ['identify', 'track', 'page'],
  transformAtV1: 'router',
  config: { projectName: kit.text('Project, which is the domain, unless the event names one') },
  example: { projectName: 'shop.example.com' },
  requests: { 'GET /track/identify': schemaOf(), 'GET /track/ce': schemaOf('event') },
  transform(event, config) {
    const send = (path: string, more: JsonObject) =>
      sendable(
        kit.restPayload({
          ...{ method: 'GET', endpoint: `${API}/${path}` },
          params: { Project: projectOf(event, config), ...visitorOf(event), ...more },
        }),
      );
    const happened = (name: string, properties: JsonObject) =>
      send('ce', { ...prefixed('ce_', properties), ...kit.mapFields(event, TIME), event: name });
    const properties = kit.objectAt(event, 'properties');
    return kit.byType(event, {
      identify: () => [send('identify', {})],
      track: () => [happened(kit.eventName(event), properties)],
      page: () => {
        const page = kit.only(kit.objectAt(event, 'context.page'), PAGE);
        return [happened(viewed(event), kit.merged(page, kit.withoutEmpty(properties)))];
      },
    });
  },
  deliver: woopraDeliver,
});

const projectOf = (event: JsonObject, config: JsonObject): string =>
  kit.textAt(kit.integrationOptions(event, 'woopra'), 'projectName') ?? kit.requiredText(config, 'projectName');

function visitorOf(event: JsonObject): JsonObject {
  const linked = COOKIES.map((type) => kit.externalId(event, type)).find(Boolean);
  const cookie = linked ?? kit.textAt(event, 'anonymousId');
  const known = { ...kit.mapFields(event, VISITOR), ...kit.compact({ cookie }) };
  if (kit.isEmpty(known)) kit.refuse('userId, traits.email or anonymousId is required');
  const { browser, browserVersion } = kit.parseUserAgent(kit.valueAt(event, 'context.userAgent'));
  const app = ['context.app.name', 'context.app.version'].map((path) => kit.textAt(event, path));
  return kit.merged(
    prefixed('cv_', kit.omit(kit.mergedTraits(event), IDS)),
    kit.mapFields(event, MORE),
    kit.withoutEmpty({
      app: app.filter(Boolean).join(' '),
      browser: [browser, browserVersion].filter(Boolean).join(' '),
    }),
    known,
  );
}

const viewed = (event: JsonObject) =>
  ['Viewed', kit.textAt(event, ['name', 'properties.name']), 'Page'].filter(Boolean).join(' ');
