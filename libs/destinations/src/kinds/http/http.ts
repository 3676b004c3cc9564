import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { mapped } from '../../expressions/mapped.js';
import { parseSource } from '../../expressions/source.js';
import { withoutNull } from '../../expressions/target.js';
import type { BatchRule, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { toXml } from './xml.js';

const HTTP_METHODS = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'];

const CONTENT_TYPES: Record<string, string> = {
  JSON: 'application/json',
  XML: 'application/xml',
  FORM: 'application/x-www-form-urlencoded',
};
/** An object of the mappings, or several as a list. An absent value has no key. XML travels as one text. */
const BODY = { type: 'object', additionalProperties: { not: { type: 'null' } } };
const REQUEST = { anyOf: [BODY, { type: 'array', minItems: 1, items: BODY }] };
const BATCH_ITEMS_DEFAULT = 100;
const BATCH_BYTES_MAX = 5_000_000;

/** Any HTTP API, by mappings. Without deletion, because each API deletes in its own way. */
export default defineKind({
  name: 'HTTP',
  displayName: 'HTTP',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    apiUrl: kit.address('Where events are sent'),
    auth: kit.words(
      ['noAuth', 'basicAuth', 'bearerTokenAuth', 'apiKeyAuth'],
      'How requests show who they are from: one of these words, anything else means noAuth',
    ),
    username: kit.text('For basicAuth'),
    password: kit.secret('For basicAuth'),
    bearerToken: kit.secret('For bearerTokenAuth'),
    apiKeyName: kit.text('Header of the key, for apiKeyAuth'),
    apiKeyValue: kit.secret('For apiKeyAuth'),
    xmlRootKey: kit.text('Outermost element, for XML'),
    method: kit.words(HTTP_METHODS, 'Method of the requests. Default: POST'),
    format: kit.words(['JSON', 'XML', 'FORM'], 'Format of the body: anything else leaves it empty. Default: JSON'),
    propertiesMapping: kit.listOf(['from', 'to'], 'Body: a path or quoted text in `from`, a path in `to`'),
    queryParams: kit.secretItems(['from'], kit.listOf(['from', 'to'], 'Query of the address, as in propertiesMapping')),
    // Headers and queries may hold API keys.
    headers: kit.secretItems(['from'], kit.listOf(['from', 'to'], 'Headers, as in propertiesMapping')),
    pathParams: kit.listOf(['path'], 'Segments to append to the address: paths, or text as it is'),
    isBatchingEnabled: kit.flag('Send several JSON bodies as one array'),
    maxBatchSize: kit.anything('Bodies in one array'),
    isDefaultMapping: kit.flag('Send the event as it is'),
  },
  example: {
    ...{ apiUrl: 'https://api.example.com/in', auth: 'basicAuth', username: 'ada', isDefaultMapping: true },
    headers: [{ to: 'x-api-key', from: '' }],
    queryParams: [{ to: 'key', from: '' }],
  },
  /** Builds one request from the mappings of the configuration. The content type follows from the format. */
  transform(event, config) {
    const endpoint = kit.requiredText(config, 'apiUrl');
    const format = kit.configText(config, 'format') || 'JSON';
    const contentType = kit.lookedUp(CONTENT_TYPES, format);
    return [
      kit.restPayload({
        method: kit.configText(config, 'method') || 'POST',
        headers: {
          ...(contentType !== undefined && { 'content-type': contentType }),
          ...authorization(config),
          ...headersOf(event, config),
        },
        params: mapped(event, config, 'queryParams'),
        endpoint: Array.isArray(config['pathParams']) ? endpointOf(endpoint, event, config) : endpoint,
        body: bodyOf(event, config, format),
      }),
    ];
  },
  requests: { '* *': REQUEST },
  batch: httpBatch,
});

export function httpBatch(config: JsonObject): BatchRule | undefined {
  if (!kit.isOn(config, 'isBatchingEnabled') || (kit.configText(config, 'format') || 'JSON') !== 'JSON')
    return undefined;
  const itemsMax = Math.max(1, Number(kit.configText(config, 'maxBatchSize')) || BATCH_ITEMS_DEFAULT);
  return { ...kit.batchBodies('', { itemsMax, bytesMax: BATCH_BYTES_MAX }), combine: kit.asJsonArray };
}

function bodyOf(event: JsonObject, config: JsonObject, format: string): Partial<Payload['body']> {
  const isWhole = kit.isOn(config, 'isDefaultMapping');
  const fields = isWhole ? (withoutNull(event) as JsonObject) : mapped(event, config, 'propertiesMapping');
  if (Object.keys(fields).length === 0) return {};
  if (format === 'XML') return { XML: { payload: toXml(fields, kit.configText(config, 'xmlRootKey') || 'root') } };
  if (format === 'FORM') return { FORM: textsOf(fields) };
  return format === 'JSON' ? { JSON: fields } : {};
}

const textsOf = (fields: JsonObject) =>
  kit.objectOf(Object.entries(fields).map(([key, value]) => [key, kit.toText(value)]));

/** Names in lower case, because a later one replaces an earlier one. The format decides about `Content-Type` in this spelling. */
function headersOf(event: JsonObject, config: JsonObject): Record<string, string> {
  const given = kit.omit(mapped(event, config, 'headers'), ['Content-Type']);
  const entries = Object.entries(given).map(([name, value]) => {
    if (typeof value !== 'string') kit.refuse(`header ${name} must be text, not ${typeof value}`);
    return [name.toLowerCase(), value] as const;
  });
  return kit.objectOf(entries);
}

function authorization(config: JsonObject): Record<string, string> {
  switch (kit.configText(config, 'auth')) {
    case 'basicAuth':
      return kit.basicAuth(kit.requiredText(config, 'username'), kit.configText(config, 'password'));
    case 'bearerTokenAuth':
      return kit.bearerAuth(kit.requiredText(config, 'bearerToken'));
    case 'apiKeyAuth':
      return { [kit.requiredText(config, 'apiKeyName').toLowerCase()]: kit.requiredText(config, 'apiKeyValue') };
    default:
      return {};
  }
}

/** Appends the segments and leaves no slash twice. */
function endpointOf(base: string, event: JsonObject, config: JsonObject): string {
  const segments = kit.configList(config, 'pathParams').map(({ path }) => segmentOf(kit.toText(path) ?? '', event));
  return `${base}/${segments.join('/')}`.replace(/(:?)(\/+)/g, (slashes, colon) => (colon ? slashes : '/'));
}

/** Refuses an event without a value for a segment, because the request would address something else. */
function segmentOf(path: string, event: JsonObject): string {
  if (path.includes('/')) kit.refuse(`the path parameter ${path} has a slash: each segment is an entry of its own`);
  const found = path.includes('$') ? [parseSource(path)(event)].flat()[0] : path;
  const segment = typeof found === 'object' ? undefined : kit.toText(found);
  return segment ? kit.pathSegment(segment) : kit.refuse(`the event has no text for the path parameter ${path}`);
}
