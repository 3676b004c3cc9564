import type { JsonObject } from '@weir/contracts';
import { type Call, callsFor, isTaken } from '../follow-up.js';
import type { DeliveryResult, DestinationKind, Payload } from '../kind.js';
import { sendPayload } from '../send-payload.js';
import * as kit from '../toolkit/index.js';

type Step = (call: Call, payload: Payload) => Promise<DeliveryResult>;

const STEPS: Readonly<Record<string, Step>> = {
  'POST /contacts': createOrUpdate,
  'POST /companies': companyWithMember,
  'DELETE /contacts/companies': leaveCompany,
};

/** Fills in ids that only Intercom knows. A response that stops the sequence early is the result. */
export const intercomDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) => {
  const { origin, pathname } = new URL(payload.endpoint);
  const step = STEPS[`${payload.method} ${pathname}`];
  if (!step || kit.isEmpty(payload.params)) return sendPayload(payload, outbound, options);
  return step(callsFor(payload, origin, outbound, options), payload);
};

async function createOrUpdate(call: Call, { params, body }: Payload): Promise<DeliveryResult> {
  const found = await search(call, params);
  if (!isTaken(found)) return found;
  const id = contactId(found);
  return id ? call('PUT', `contacts/${id}`, body.JSON) : call('POST', 'contacts', body.JSON);
}

async function companyWithMember(call: Call, { params, body }: Payload): Promise<DeliveryResult> {
  const company = await call('POST', 'companies', body.JSON);
  const companyId = idAt(company, 'id');
  if (!isTaken(company) || !companyId) return company;
  const found = await search(call, params);
  if (!isTaken(found)) return found;
  const id = contactId(found);
  return id ? call('POST', `contacts/${id}/companies`, { id: decodeURIComponent(companyId) }) : company;
}

async function leaveCompany(call: Call, { params }: Payload): Promise<DeliveryResult> {
  const { company_id, ...who } = params;
  const company = await call('GET', `companies?company_id=${encodeURIComponent(String(company_id))}`);
  const companyId = idAt(company, 'id');
  if (!isTaken(company) || !companyId) return company;
  const found = await search(call, who);
  const id = contactId(found);
  return isTaken(found) && id ? call('DELETE', `contacts/${id}/companies/${companyId}`) : found;
}

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/searchcontacts */
function search(call: Call, who: JsonObject): Promise<DeliveryResult> {
  const value = Object.entries(who).map(([field, wanted]) => ({ field, operator: '=', value: wanted }));
  return call('POST', 'contacts/search', { query: { operator: value.length > 1 ? 'OR' : 'AND', value } });
}

const contactId = (found: DeliveryResult) => idAt(found, 'data.0.id');

/** An id of Intercom, encoded as part of an address. */
function idAt({ response }: DeliveryResult, path: string): string | undefined {
  const id = kit.textAt(response, path);
  return id === undefined || id === '.' || id === '..' ? undefined : encodeURIComponent(id);
}
