import type { JsonObject } from '@weir/contracts';
import { type Call, callsFor, isTaken, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

type Step = (call: Call, payload: Payload) => Promise<DeliveryResult>;

const STEPS: Readonly<Record<string, Step>> = {
  'POST /contacts': createOrUpdate,
  'POST /companies': companyWithMember,
};

/** Fills in ids that only Intercom knows. A response that stops the sequence early is the result. */
export const intercomDeliver: NonNullable<DestinationKind['deliver']> = (payload, _config, outbound, options) => {
  const { origin, pathname } = new URL(payload.endpoint);
  const step = STEPS[`${payload.method} ${pathname}`];
  if (!step || kit.isEmpty(payload.params)) return sendPayload(payload, outbound, options);
  return step(callsFor(payload, origin, outbound, options), payload);
};

async function createOrUpdate(call: Call, { params, body }: Payload): Promise<DeliveryResult> {
  const { left_company_id, left_company_name, ...who } = params;
  const found = await search(call, who);
  if (found && !isTaken(found)) return found;
  const id = contactId(found);
  if (!id) return call('POST', 'contacts', body.JSON);
  const left = await leaveCompany(call, id, kit.compact({ company_id: left_company_id, name: left_company_name }));
  return left && !isTaken(left) ? left : call('PUT', `contacts/${id}`, body.JSON);
}

async function leaveCompany(call: Call, contact: string, named: JsonObject): Promise<DeliveryResult | undefined> {
  const [entry] = Object.entries(named);
  if (!entry) return undefined;
  const company = await call('GET', `companies?${new URLSearchParams([[entry[0], String(entry[1])]])}`);
  const id = idAt(company, 'id');
  return isTaken(company) && id ? call('DELETE', `contacts/${contact}/companies/${id}`) : company;
}

async function companyWithMember(call: Call, { params, body }: Payload): Promise<DeliveryResult> {
  const { tags, ...who } = params;
  const company = await call('POST', 'companies', body.JSON);
  const companyId = kit.textAt(company.response, 'id');
  if (!isTaken(company) || !companyId) return company;
  const found = await search(call, who);
  if (found && !isTaken(found)) return found;
  const id = contactId(found);
  const joined = id ? await call('POST', `contacts/${id}/companies`, { id: companyId }) : company;
  return isTaken(joined) ? tagged(call, companyId, tags, joined) : joined;
}

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/tags/createtag */
async function tagged(call: Call, id: string, tags: unknown, before: DeliveryResult): Promise<DeliveryResult> {
  for (const name of Array.isArray(tags) ? tags : []) {
    const made = await call('POST', 'tags', { name, companies: [{ id }] });
    if (!isTaken(made)) return made;
  }
  return before;
}

/** https://developers.intercom.com/docs/references/rest-api/api.intercom.io/contacts/searchcontacts */
async function search(call: Call, who: JsonObject): Promise<DeliveryResult | undefined> {
  if (kit.isEmpty(who)) return undefined;
  const value = Object.entries(who).map(([field, wanted]) => ({ field, operator: '=', value: wanted }));
  return call('POST', 'contacts/search', { query: { operator: value.length > 1 ? 'OR' : 'AND', value } });
}

const contactId = (found: DeliveryResult | undefined) => found && idAt(found, 'data.0.id');

/** An id of Intercom, encoded as part of an address. */
function idAt({ response }: DeliveryResult, path: string): string | undefined {
  const id = kit.textAt(response, path);
  return id === undefined || id === '.' || id === '..' ? undefined : encodeURIComponent(id);
}
