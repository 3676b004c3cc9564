import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { BatchRule, Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import {
  asJsonArray,
  basicAuth,
  batchBodies,
  bearerAuth,
  compactDeep,
  configList,
  configText,
  isOn,
  lookedUp,
  meter,
  objectOf,
  refuse,
  requiredText,
  toText,
  withoutEndSlashes,
} from '../toolkit/index.js';
import { isPath, parsePath, readPath, writePath } from './json-path.js';
import { toXml } from './xml.js';

const CONTENT_TYPES: Record<string, string> = {
  JSON: 'application/json',
  XML: 'application/xml',
  FORM: 'application/x-www-form-urlencoded',
};
const METHODS_WITH_BODY = ['POST', 'PUT', 'PATCH'];
const BATCH_ITEMS_DEFAULT = 100;
const BATCH_BYTES_MAX = 5_000_000;

/** Builds one request from the mappings of the configuration. */
export function httpTransform(event: JsonObject, config: JsonObject): Payload[] {
  const method = configText(config, 'method') || 'POST';
  const format = configText(config, 'format') || 'JSON';
  const contentType = lookedUp(CONTENT_TYPES, format) ?? refuse(`format ${format} is not supported`);
  return [
    restPayload({
      method,
      endpoint: endpointOf(event, config),
      headers: { 'content-type': contentType, ...authorization(config), ...headersOf(event, config) },
      params: mapped(event, config, 'queryParams'),
      body: METHODS_WITH_BODY.includes(method) ? bodyOf(event, config, format) : {},
    }),
  ];
}

export function httpBatch(config: JsonObject): BatchRule | undefined {
  if (!isOn(config, 'isBatchingEnabled') || (configText(config, 'format') || 'JSON') !== 'JSON') return undefined;
  const itemsMax = Math.max(1, Number(configText(config, 'maxBatchSize')) || BATCH_ITEMS_DEFAULT);
  return { ...batchBodies('', { itemsMax, bytesMax: BATCH_BYTES_MAX }), combine: asJsonArray };
}

function bodyOf(event: JsonObject, config: JsonObject, format: string): Partial<Payload['body']> {
  const fields = isOn(config, 'isDefaultMapping') ? compactDeep(event) : mapped(event, config, 'propertiesMapping');
  if (Object.keys(fields).length === 0) return {};
  if (format === 'XML') return { XML: { payload: toXml(fields, configText(config, 'xmlRootKey') || 'root') } };
  if (format === 'FORM') return { FORM: textsOf(fields) };
  return { JSON: fields };
}

const textsOf = (fields: JsonObject) => objectOf(Object.entries(fields).map(([key, value]) => [key, toText(value)]));

/** Builds an object from a list of `{ from, to }`. Omits values that the event lacks. */
function mapped(event: JsonObject, config: JsonObject, key: string): JsonObject {
  const target: JsonObject = {};
  const take = meter();
  for (const { from, to } of configList(config, key)) {
    const path = typeof to === 'string' ? to.trim() : '';
    if (path === '') continue;
    const value = sourceValue(event, from);
    if (value === undefined || value === null) continue;
    take(value);
    writePath(target, parsePath(isPath(path) ? path : `$.${path}`), value);
  }
  return compactDeep(target);
}

/** A value from a path of the event, a quoted text, or the text itself. */
function sourceValue(event: JsonObject, from: unknown): unknown {
  const text = (toText(from) ?? '').trim();
  if (isPath(text)) return readPath(event, parsePath(text));
  const [, quoted] = /^(?:'(.*)'|"(.*)")$/s.exec(text)?.filter((part) => part !== undefined) ?? [];
  return quoted ?? (text === '' ? undefined : text);
}

function headersOf(event: JsonObject, config: JsonObject): Record<string, string> {
  const entries = Object.entries(mapped(event, config, 'headers')).map(([name, value]) => {
    if (isJsonObject(value) || Array.isArray(value)) refuse(`header ${name} must be text, not an object or a list`);
    return [name.toLowerCase(), String(value)] as const;
  });
  return objectOf(entries);
}

function authorization(config: JsonObject): Record<string, string> {
  const text = (key: string) => configText(config, key);
  switch (text('auth')) {
    case 'basicAuth':
      return basicAuth(text('username'), text('password'));
    case 'bearerTokenAuth':
      return bearerAuth(requiredText(config, 'bearerToken'));
    case 'apiKeyAuth':
      return { [requiredText(config, 'apiKeyName').toLowerCase()]: requiredText(config, 'apiKeyValue') };
    default:
      return {};
  }
}

/** Refuses an event without a value for a segment, because the request would address something else. */
function endpointOf(event: JsonObject, config: JsonObject): string {
  const base = requiredText(config, 'apiUrl');
  const segments = configList(config, 'pathParams').map(({ path }) => {
    const value = sourceValue(event, path);
    const segment = typeof value === 'object' ? undefined : toText(value);
    if (!segment || segment === '.' || segment === '..')
      refuse(`the event has no text for the path parameter ${toText(path)}`);
    return encodeURIComponent(segment);
  });
  return segments.length === 0 ? base : [withoutEndSlashes(base), ...segments].join('/');
}
