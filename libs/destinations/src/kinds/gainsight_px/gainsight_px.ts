import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { API, gainsightDeliver } from './gainsight_px.deliver.js';
import { accountOf, CREATION, eventOf, personOf } from './gainsight_px.fields.js';

const OBJECT = { type: 'object' };
const FLAT = { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } };
const KNOWN = { propertyKeys: kit.filledList(kit.FILLED_TEXT), customAttributes: OBJECT, location: OBJECT };
const TYPE = { enum: ['USER', 'LEAD', 'VISITOR', 'EMPTY_USER_TYPE'] };
/** A person with all fields, or only the account of one. */
const PERSON = { type: 'object', anyOf: [{ required: ['propertyKeys'] }, { required: ['accountId'] }] };

/** https://px-apidocs.gainsight.com and, for the names of fields, the page "User and Account Model". */
export default defineKind({
  name: 'GAINSIGHT_PX',
  displayName: 'Gainsight PX',
  messageTypes: ['identify', 'track', 'group'],
  transformAtV1: 'router',
  config: {
    apiKey: kit.secret('API key of the REST API'),
    productTagKey: kit.text('Tag key of the product'),
    userAttributeMap: kit.listOf(['from', 'to'], 'Custom attributes of users, by trait'),
    accountAttributeMap: kit.listOf(['from', 'to'], 'Custom attributes of accounts, by trait'),
    globalContextMap: kit.listOf(['from', 'to'], 'Names and values of the global context of events that name none'),
  },
  example: { productTagKey: 'AP-TAG-1' },
  requests: {
    'PUT /v1/users/{id}': { ...PERSON, properties: { ...KNOWN, accountId: kit.FILLED_TEXT, type: TYPE } },
    'PUT /v1/accounts/{id}': kit.objectWith(['propertyKeys'], { ...KNOWN, name: kit.FILLED_TEXT }),
    'POST /v1/events/custom': kit.objectWith(['identifyId', 'propertyKey', 'eventName'], {
      ...{ identifyId: kit.FILLED_TEXT, propertyKey: kit.FILLED_TEXT, eventName: kit.FILLED_TEXT, userType: TYPE },
      ...{ date: { type: 'number' }, attributes: FLAT, globalContext: OBJECT },
    }),
  },
  transform(event, config) {
    const headers = { 'X-APTRINSIC-API-KEY': kit.requiredText(config, 'apiKey') };
    const product = kit.requiredText(config, 'productTagKey');
    const put = (path: string, body: JsonObject, params: JsonObject = {}) =>
      kit.jsonRequest(`${API}/${path}`, body, { method: 'PUT', headers, params });
    const created = kit.mapFields(event, CREATION);
    const user = () => idOf(event, kit.USER_ID, 'userId or anonymousId is required');
    return kit.byType(event, {
      identify: () => [
        put(`users/${kit.pathSegment(user())}`, personOf(event, config, product), { identifyId: user(), ...created }),
      ],
      track: () => [kit.jsonRequest(`${API}/events/custom`, eventOf(event, config, product), { headers })],
      group: () => {
        const id = idOf(event, kit.GROUP_ID, 'groupId is required');
        return [
          put(`accounts/${kit.pathSegment(id)}`, accountOf(event, config, product), { id, ...created, member: user() }),
          put(`users/${kit.pathSegment(user())}`, { accountId: id }),
        ];
      },
    });
  },
  deliver: gainsightDeliver,
});

const idOf = (event: JsonObject, places: kit.Source, refusal: string): string =>
  kit.textAt(event, places) ?? kit.refuse(refusal);
