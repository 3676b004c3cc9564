import type { JsonObject } from '@weir/contracts';
import type { RequestSchemas } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

const HASH = { type: 'string', pattern: '^[a-fA-F0-9]{64}$' };
const SECONDS = { type: 'string', pattern: '^-?[0-9]+$' };
const PLACE = { enum: ['WEB', 'MOBILE_APP', 'OFFLINE'] };
const hashes = (keys: readonly string[]) => kit.objectOf(keys.map((key) => [key, HASH]));
const oneOf = (...groups: readonly (readonly string[])[]) => groups.map((required) => ({ required }));

const HASHED = ['email', 'phone_number', 'zip', 'ip_address', 'mobile_ad_id', 'idfv'].map((key) => `hashed_${key}`);
const HASHED_WORDS = ['first_name', 'middle_name', 'last_name', 'city', 'state'].map((key) => `hashed_${key}_sha`);

/** Version 2 takes one event or a list of them. */
const EVENT: JsonObject = {
  type: 'object',
  required: ['event_type', 'event_conversion_type', 'timestamp'],
  anyOf: oneOf(['pixel_id'], ['snap_app_id', 'app_id']),
  properties: {
    ...{ event_type: kit.FILLED_TEXT, event_conversion_type: PLACE, timestamp: SECONDS, brands: { type: 'array' } },
    ...hashes([...HASHED, ...HASHED_WORDS]),
  },
};

const USER: JsonObject = {
  type: 'object',
  anyOf: oneOf(['em'], ['ph'], ['madid'], ['client_ip_address', 'client_user_agent']),
  properties: hashes(['em', 'ph', 'fn', 'ln', 'ge', 'ct', 'zp', 'st', 'country']),
};
const EVENT_3 = kit.objectWith(['event_name', 'event_time', 'action_source', 'user_data'], {
  event_name: kit.FILLED_TEXT,
  event_time: SECONDS,
  action_source: PLACE,
  user_data: USER,
  custom_data: {
    type: 'object',
    minProperties: 1,
    properties: { brand: { type: 'array' }, contents: kit.filledList({ type: 'object', minProperties: 1 }) },
  },
  app_data: {
    type: 'object',
    properties: { extinfo: { type: 'array', minItems: 16, maxItems: 16, items: { type: 'string' } } },
  },
});

/** Requirements of https://developers.snap.com/api/marketing-api/Conversions-API/UsingTheAPI */
export const snapchatConversionRequests: RequestSchemas = {
  'POST /v2/conversion': { anyOf: [EVENT, kit.filledList(EVENT)] },
  'POST /v3/{account}/events': kit.objectWith(['data'], { data: kit.filledList(EVENT_3) }),
};
