/**
 * Shared code of kinds: tables that map source paths to a vendor's keys, and the small functions used in such tables. All pure.
 */
export { flatten } from '../flatten.js';
export { merged, objectOf } from '../object-of.js';
export { arrayOf, asJsonArray, batchArrays, batchBodies, batchLists, outcomesByItem } from './batch.js';
export { compact, compactDeep, isEmpty, omit, only, pick, withoutEmpty, withoutEmptyDeep } from './clean.js';
export { commerceKey, mapProducts, productList, productsOf, revenueOf, totalOf } from './commerce.js';
export { configList, configPairs, configText, configWords, isOn, requiredText, withoutEndSlashes } from './config.js';
export {
  type Conversion,
  oneOf,
  onlyArray,
  onlyObject,
  onlyText,
  toBoolean,
  toInteger,
  toLowerCase,
  toNumber,
  toText,
  toUpperCase,
  trimmed,
} from './convert.js';
export {
  address,
  anything,
  choice,
  decidesHost,
  flag,
  listOf,
  number,
  required,
  secret,
  secretItems,
  text,
  vendorDefinition,
} from './definition.js';
export {
  byType,
  deviceFamily,
  EMAIL,
  eventName,
  externalId,
  FIRST_NAME,
  fullName,
  IP,
  integrationOptions,
  KNOWN_USER_ID,
  LAST_NAME,
  type MessageType,
  mergedTraits,
  PAGE_NAME,
  PHONE,
  property,
  refuse,
  TIMESTAMP,
  trait,
  traitsOf,
  USER_ID,
} from './event.js';
export { eventPatterns, settingsFor } from './event-settings.js';
export { ADDRESS_LENGTH_MAX, isEmail, NAME_LENGTH_MAX } from './forms.js';
export {
  hashed,
  hashedCompact,
  hashedPhone,
  hashedWord,
  isSha256,
  isUuid,
  md5,
  normalizedPhone,
  normalizedWord,
  sha256,
  uuidOf,
} from './hash.js';
export { keysRead, type Mapping, mapFields, type Rule, restOf, type Source } from './mapping.js';
export { displayName, fillTemplate, listed } from './message.js';
export { meter } from './meter.js';
export { firstAt, isGiven, lookedUp, objectAt, setAt, textAt, valueAt } from './paths.js';
export { basicAuth, bearerAuth, formRequest, jsonArrayRequest, jsonRequest, pathSegment } from './request.js';
export { SENDER } from './sender.js';
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
