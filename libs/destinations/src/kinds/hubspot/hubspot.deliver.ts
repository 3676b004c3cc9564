import { isAppError, isJsonObject, type JsonObject } from '@weir/contracts';
import { type Call, callsFor, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { fitting, type Properties, propertiesOf, withDates } from './hubspot.account.js';
import { PARTLY_DONE } from './hubspot.batch.js';
import { API, LEGACY_CONTACTS } from './hubspot.contacts.js';
import { LEGACY_EVENT_KEYS, LEGACY_SEND } from './hubspot.events.js';
import { type FoundRecords, search } from './hubspot.search.js';
import { type Write, writeAll } from './hubspot.write.js';

/** Asks first for the properties and records of the account, because only the account knows them. */
export const hubspotDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _config, outbound, options) => {
  const { endpoint, headers, body } = payload;
  const send = (request: Payload) => sendPayload(request, outbound, options);
  const [, objectType] = /\/crm\/v3\/objects\/([^/]+)\/batch\//.exec(endpoint) ?? [];
  const isLegacy = [LEGACY_CONTACTS, LEGACY_SEND].includes(endpoint);
  if (!objectType && !isLegacy) return send(payload);
  const inputs = kit.objectsOf(body.JSON['inputs']);
  const names = inputs.map(({ idProperty }) => kit.toText(idProperty)).filter((name) => name !== undefined);
  const known = await propertiesOf(outbound, headers['authorization'] ?? '', objectType ?? 'contacts', names);
  if ('status' in known) return known;
  if (endpoint === LEGACY_SEND) return legacyEvent(payload, known, send);
  if (endpoint === LEGACY_CONTACTS) return legacyContacts(payload, known, send);
  return records(callsFor(payload, API, outbound, options), payload, objectType ?? '', inputs, known);
};

type Send = (payload: Payload) => Promise<DeliveryResult>;

async function legacyEvent(payload: Payload, known: Properties, send: Send): Promise<DeliveryResult> {
  const properties = orRefusal(() => fitting(kit.omit(payload.params, LEGACY_EVENT_KEYS), known));
  if (isRefused(properties)) return properties;
  return send({ ...payload, params: kit.merged(properties, kit.only(payload.params, LEGACY_EVENT_KEYS)) });
}

async function legacyContacts(payload: Payload, known: Properties, send: Send): Promise<DeliveryResult> {
  const contacts = kit
    .arrayOf(payload)
    .filter(isJsonObject)
    .map((contact) => orRefusal(() => legacyFitting(contact, known)));
  const fit = contacts.filter((contact) => !isRefused(contact));
  if (fit.length === 0) return together(contacts.filter(isRefused));
  const sent = await send({ ...payload, body: { ...payload.body, JSON_ARRAY: { batch: JSON.stringify(fit) } } });
  return together(contacts.map((contact) => (isRefused(contact) ? contact : sent)));
}

function legacyFitting({ email, properties }: JsonObject, known: Properties): JsonObject {
  const given = kit.objectsOf(properties).map(({ property, value }) => [String(property), value] as const);
  const entries = Object.entries(fitting(kit.objectOf(given), known));
  return { email, properties: entries.map(([property, value]) => ({ property, value })) };
}

async function records(
  call: Call,
  payload: Payload,
  objectType: string,
  inputs: readonly JsonObject[],
  known: Properties,
): Promise<DeliveryResult> {
  const isMapped = payload.params['mapped'] === true;
  const shaped = inputs.map((input) => orRefusal(() => shapedInput(input, known, isMapped)));
  const found = await foundRecords(call, objectType, shaped, known);
  if ('status' in found) return found;
  const writes = shaped.map((input) =>
    isRefused(input) ? input : orRefusal(() => writeOf(input, found.get(String(input['idProperty'])), isMapped)),
  );
  return together(await writeAll(call, objectType, writes));
}

/** Records by the property under which they are looked for. A unique property needs no search. */
async function foundRecords(
  call: Call,
  objectType: string,
  inputs: readonly (JsonObject | Refusal)[],
  known: Properties,
): Promise<Map<string, FoundRecords> | DeliveryResult> {
  const looked = inputs.flatMap((input) => (isRefused(input) ? [] : [input]));
  const wanted = Map.groupBy(
    looked.filter(({ idProperty }) => idProperty && !isUnique(known, idProperty)),
    ({ idProperty }) => String(idProperty),
  );
  const found = new Map<string, FoundRecords>();
  for (const [property, those] of wanted) {
    const ids = those.map(({ id }) => String(id));
    const records = await search(call, objectType, property, ids);
    if ('status' in records) return records;
    found.set(property, records);
  }
  return found;
}

const isUnique = (known: Properties, name: unknown) => known.get(String(name))?.isUnique === true;

function shapedInput(input: JsonObject, known: Properties, isMapped: boolean): JsonObject {
  const properties = kit.objectAt(input, 'properties');
  return { ...input, properties: isMapped ? withDates(properties, known) : fitting(properties, known) };
}

/** A unique property lets HubSpot find the record. For any other the search has found it, or nobody. */
function writeOf(input: JsonObject, found: FoundRecords | undefined, isMapped: boolean): Write {
  const { id: given, idProperty, properties } = input;
  if (idProperty === undefined) return { operation: 'update', key: String(given), input };
  if (!found) return { operation: 'upsert', key: `${idProperty} ${given}`, input };
  const [first, ...more] = found.get(String(given).toLowerCase()) ?? [];
  if (more.length > 0 && !isMapped) kit.refuse(`${idProperty} ${given} is ambiguous: several contacts have it`);
  const own = properties as JsonObject;
  if (!first) {
    const named = kit.merged(own, isMapped ? { [String(idProperty)]: given } : {});
    return { operation: 'create', key: `${idProperty} ${String(given).toLowerCase()}`, input: { properties: named } };
  }
  const changed = first.isByOtherEmail ? kit.omit(own, ['email']) : own;
  return { operation: 'update', key: first.id, input: { id: first.id, properties: changed } };
}

/** A refusal concerns one contact, and the others go on. */
class Refusal implements DeliveryResult {
  readonly status = 400;
  constructor(readonly response: string) {}
}

const isRefused = (value: unknown): value is Refusal => value instanceof Refusal;

function orRefusal<T>(make: () => T): T | Refusal {
  try {
    return make();
  } catch (error) {
    if (!isAppError(error)) throw error;
    return new Refusal(error.message);
  }
}

/** One result if all are alike, otherwise one that names each. */
function together(results: readonly DeliveryResult[]): DeliveryResult {
  const [first] = results;
  if (first && results.every(({ status }) => status === first.status)) return first;
  const waits = results.map(({ retryAfterMs }) => retryAfterMs ?? 0);
  const retryAfterMs = Math.max(0, ...waits);
  return { status: PARTLY_DONE, response: { results }, ...(retryAfterMs > 0 && { retryAfterMs }) };
}
