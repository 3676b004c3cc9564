import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { DeliveryResult, ItemOutcome, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { clevertapDeletion } from './clevertap.deletion.js';
import { flatValues, profileOf, tokenOf } from './clevertap.profile.js';

/** CleverTap's event for an order is `Charged`. */
const CHARGED: kit.Mapping = { 'Charged ID': 'checkout_id', Amount: 'revenue', Items: 'products' };
const READ_OF_CHARGED = [...kit.keysRead(CHARGED), 'ts'];
const VIEW_NAME = ['event', 'properties.event', 'name', 'properties.name'];

/** 1,000 records per request, https://developer.clevertap.com/docs/upload-events-api */
export const clevertapBatch = kit.batchLists(['d'], { itemsMax: 1_000, bytesMax: 3_000_000, outcomes: refusedWith200 });

/** CleverTap answers 200 even if it refuses some or all records. The response then repeats the refused ones. */
function refusedWith200({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  const verdict = kit.valueAt(response, 'status');
  if (status !== 200 || (verdict !== 'fail' && verdict !== 'partial')) return undefined;
  const lists = payloads.map(({ body }) => [body.JSON['d']].flat());
  const refused = [kit.valueAt(response, 'unprocessed')].flat().filter(kit.isGiven);
  const about = (record: unknown) => (entry: unknown) => isDeepStrictEqual(kit.valueAt(entry, 'record'), record);
  const isNamed = (entry: unknown) => lists.flat().some((record) => about(record)(entry));
  // Nothing is sent again, because CleverTap counts a repeated event twice.
  if (refused.length === 0 || !refused.every(isNamed)) return payloads.map(() => ({ status: 400, response }));
  return kit.outcomesByItem(lists, (record) => refused.find(about(record)));
}

/** Each record has an id, and only texts, numbers and booleans, https://developer.clevertap.com/docs/upload-events-api */
const UPLOAD = {
  type: 'object',
  required: ['d'],
  properties: {
    d: {
      type: 'array',
      minItems: 1,
      maxItems: 1_000,
      items: {
        type: 'object',
        required: ['type'],
        oneOf: [
          { required: ['identity'], properties: { identity: kit.FILLED_TEXT } },
          { required: ['objectId'], properties: { objectId: kit.FILLED_TEXT } },
        ],
        properties: {
          type: { enum: ['profile', 'event', 'token'] },
          evtName: kit.FILLED_TEXT,
          evtData: {
            type: 'object',
            properties: { Items: { type: 'array', minItems: 1 } },
            additionalProperties: { not: { type: ['object', 'array'] } },
          },
        },
      },
    },
  },
};

export default defineKind({
  name: 'CLEVERTAP',
  displayName: 'CleverTap',
  messageTypes: ['identify', 'track', 'page', 'screen', 'alias'],
  transformAtV1: 'router',
  config: {
    accountId: kit.required(kit.text('Project id')),
    passcode: kit.required(kit.secret('Passcode')),
    region: kit.asAddress(kit.text('Region, such as in1. `none` is the default region')),
    trackAnonymous: kit.flag('Send events of people without a user id'),
    enableObjectIdMapping: kit.flag('Know people by the anonymous id as object id'),
  },
  example: { accountId: 'acct-1', region: 'in1' },
  /** Events and profiles: https://developer.clevertap.com/docs/upload-events-api */
  transform(event, config) {
    const send = (...records: JsonObject[]) => records.map((record) => request(config, record));
    const happened = (evtName: string, evtData: JsonObject) =>
      send({ evtName, evtData, type: 'event', ...timeOf(event, 'properties.ts'), ...identityOfEvent(event, config) });
    const viewed = (what: string) => {
      const name = kit.textAt(event, VIEW_NAME);
      return happened(name ? `${what}: ${name}` : what, flatValues(kit.objectAt(event, 'properties')));
    };
    return kit.byType(event, {
      identify: () => send(...identify(event, config)),
      track: () => {
        const name = kit.eventName(event);
        const properties = kit.objectAt(event, 'properties');
        return name.toLowerCase() === 'order completed'
          ? happened('Charged', charged(properties))
          : happened(name, flatValues(properties));
      },
      page: () => viewed('Web Page Viewed'),
      screen: () => viewed('Screen Viewed'),
      alias: () => {
        const identity = kit.textAt(event, 'previousId') ?? kit.refuse('previousId is required');
        const profileData = kit.compact({ identity: kit.textAt(event, 'userId') });
        return send({ type: 'profile', profileData, ...timeOf(event, kit.trait('ts')), identity });
      },
    });
  },
  requests: { 'POST /1/upload': UPLOAD },
  batch: clevertapBatch,
  deletion: clevertapDeletion,
});

function request(config: JsonObject, record: JsonObject): Payload {
  const region = kit.configText(config, 'region');
  const host =
    region === '' || region === 'none' ? 'api.clevertap.com' : `${encodeURIComponent(region)}.api.clevertap.com`;
  const headers = {
    'x-clevertap-account-id': kit.requiredText(config, 'accountId'),
    'x-clevertap-passcode': kit.requiredText(config, 'passcode'),
  };
  return kit.jsonRequest(`https://${host}/1/upload`, { d: [record] }, { headers });
}

/** Numbers are already in the seconds of CleverTap. */
const seconds = (value: unknown) => (kit.toNumber(value) === undefined ? kit.toUnixSeconds(value) : value);
const timeOf = (event: JsonObject, from: kit.Source) => kit.mapFields(event, { ts: { from, as: seconds } });

interface Ids {
  userId: string | undefined;
  anonymousId: string | undefined;
  /** CleverTap knows the person by the anonymous id as object id. */
  isByObject: boolean;
}

function idsOf(event: JsonObject, config: JsonObject): Ids {
  const [userId, anonymousId] = [kit.textAt(event, kit.KNOWN_USER_ID), kit.textAt(event, 'anonymousId')];
  if (!userId && !anonymousId) kit.refuse('the event needs a userId or an anonymousId');
  return { userId, anonymousId, isByObject: kit.isOn(config, 'enableObjectIdMapping') && anonymousId !== undefined };
}

const rootIdOf = ({ userId, anonymousId, isByObject }: Ids): JsonObject =>
  isByObject ? { objectId: anonymousId } : { identity: userId ?? anonymousId };

function identityOfEvent(event: JsonObject, config: JsonObject): JsonObject {
  const ids = idsOf(event, config);
  if (!ids.userId && !kit.isOn(config, 'trackAnonymous')) {
    kit.refuse('the event has no userId, and trackAnonymous is off');
  }
  return rootIdOf(ids);
}

function identify(event: JsonObject, config: JsonObject): JsonObject[] {
  const ids = idsOf(event, config);
  const root = rootIdOf(ids);
  const profileData = profileOf(event, ids.isByObject ? { identity: ids.userId } : {});
  const tokenData = ids.isByObject ? tokenOf(event) : undefined;
  return [
    { type: 'profile', profileData, ...timeOf(event, kit.trait('ts')), ...root },
    ...(tokenData ? [{ type: 'token', tokenData, ...root }] : []),
  ];
}

/** The items of an order stay a list. CleverTap refuses an order whose items are none. */
function charged(properties: JsonObject): JsonObject {
  const { products } = properties;
  if (kit.isGiven(products) && !(Array.isArray(products) && isJsonObject(products[0]))) {
    kit.refuse('properties.products must be a list of objects');
  }
  const others = flatValues(kit.nested(kit.omit(properties, READ_OF_CHARGED)));
  return kit.merged(others, kit.mapFields(properties, CHARGED));
}
