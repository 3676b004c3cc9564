/**
 * Shared code of kinds: tables that map source paths to a vendor's keys, and the small functions used in such tables. All pure.
 */

export {
  address,
  anything,
  asAddress,
  asSecret,
  choice,
  extra,
  field,
  flag,
  listOf,
  number,
  required,
  secret,
  secretItems,
  text,
} from '../config-fields.js';
export { arrayOf, asJsonArray, batchArrays, batchBodies, batchLists, outcomesByItem } from './batch.js';
export { commerceKey, mapProducts, productList } from './commerce.js';
export {
  configList,
  configPairs,
  configText,
  configWords,
  eventPatterns,
  isOn,
  requiredText,
  settingsFor,
  withoutEndSlashes,
} from './config.js';
export {
  ADDRESS_LENGTH_MAX,
  type Conversion,
  isEmail,
  isScalar,
  leadingInteger,
  leadingNumber,
  NAME_LENGTH_MAX,
  objectsOf,
  oneOf,
  onlyArray,
  onlyId,
  onlyObject,
  onlyText,
  parsedJson,
  toBoolean,
  toInteger,
  toLowerCase,
  toNumber,
  toText,
  toUpperCase,
  trimmed,
} from './convert.js';
export {
  byType,
  deviceFamily,
  eventName,
  externalId,
  externalIdAsGiven,
  fullName,
  fullNameOf,
  givenTraits,
  integrationOptions,
  isApple,
  type MessageType,
  mergedTraits,
  refuse,
  traitsOf,
  withMappedIdentifier,
} from './event.js';
export {
  AVATAR,
  BIRTHDAY,
  CITY,
  COUNTRY,
  CREATED_AT,
  CURRENCY,
  EMAIL,
  FIRST_NAME,
  FULL_NAME,
  GENDER,
  GROUP_ID,
  IP,
  KNOWN_USER_ID,
  LAST_NAME,
  LINKED_EMAIL,
  ORDER_ID,
  PAGE_URL,
  PHONE,
  PRODUCT_ID,
  PRODUCTS,
  property,
  REVENUE,
  STATE,
  TIMESTAMP,
  TRAIT_EMAIL,
  TRAIT_PHONE,
  trait,
  USER_ID,
  ZIP,
} from './generic-fields.js';
export {
  hashed,
  hashedPhone,
  hashedPlain,
  hashedWord,
  md5,
  normalizedPhone,
  normalizedWord,
  sha256,
  uuidOf,
} from './hash.js';
export { meter } from './limits.js';
export { keysRead, type Mapping, mapFields, type Rule, restOf, type Source } from './mapping.js';
export { displayName, fillTemplate, listed } from './message.js';
export {
  compact,
  flatten,
  isEmpty,
  merged,
  nested,
  objectOf,
  omit,
  only,
  pick,
  withoutEmpty,
} from './objects.js';
export { firstAt, isGiven, lookedUp, objectAt, setAt, textAt, valueAt } from './paths.js';
export {
  basicAuth,
  bearerAuth,
  formRequest,
  jsonArrayRequest,
  jsonRequest,
  pathSegment,
  type RequestFields,
  restPayload,
  SENDER,
} from './request.js';
export { FILLED_ID, FILLED_TEXT, filledList, objectWith } from './request-schemas.js';
export {
  ageMs,
  toDate,
  toIso,
  toIsoSeconds,
  toUnixMillis,
  toUnixSeconds,
  zoneAbbreviation,
  zoneOffsetSeconds,
} from './time.js';
export { type Agent, parseUserAgent } from './user-agent.js';
