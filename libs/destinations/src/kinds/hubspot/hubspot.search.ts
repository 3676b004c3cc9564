import { isJsonObject, type JsonObject } from '@weir/contracts';
import { type Call, isTaken } from '../../delivery/send-payload.js';
import type { DeliveryResult } from '../../kind.js';
import * as kit from '../../toolkit/index.js';

/** A contact keeps its former addresses here, separated by semicolons. */
const OTHER_EMAILS = 'hs_additional_emails';
/** Records of a page of a search. https://developers.hubspot.com/docs/api-reference/search/guide */
const PAGE = 100;
/** A search ends after ten thousand records. */
const PAGES_MAX = 100;

export interface Found {
  id: string;
  /** Found by a former address, which must not become the first one again. */
  isByOtherEmail: boolean;
}
/** Records by the value that was looked for, in lower case. */
export type FoundRecords = ReadonlyMap<string, readonly Found[]>;

/** Looks for up to a hundred values of one property. Returns HubSpot's response if it refuses. */
export async function search(
  call: Call,
  objectType: string,
  property: string,
  ids: readonly string[],
): Promise<FoundRecords | DeliveryResult> {
  const values = [...new Set(ids.map((id) => id.toLowerCase()))];
  const names = property === 'email' ? [property, OTHER_EMAILS] : [property];
  const filterGroups = names.map((propertyName) => ({ filters: [{ propertyName, operator: 'IN', values }] }));
  const found = new Map<string, Found[]>(values.map((value) => [value, []]));
  let after: unknown;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const body = { filterGroups, properties: names, limit: PAGE, ...kit.compact({ after }) };
    const result = await call('POST', `crm/v3/objects/${objectType}/search`, body);
    if (!isTaken(result)) return result;
    for (const record of kit.objectsOf(kit.valueAt(result.response, 'results'))) note(found, record, property);
    after = kit.valueAt(result.response, 'paging.next.after');
    if (!kit.isGiven(after)) break;
  }
  return found;
}

/** Accepts the record that is found for a single value, even if HubSpot writes the value in another form, such as a phone. */
function note(found: Map<string, Found[]>, { id, properties }: JsonObject, property: string): void {
  const values = isJsonObject(properties) ? properties : {};
  const [[only, records] = [], ...others] = [...found];
  if (only !== undefined && others.length === 0) {
    const isByOtherEmail = property === 'email' && lowered(values[property]) !== only;
    records?.push({ id: String(id), isByOtherEmail });
    return;
  }
  const own = lowered(values[property]);
  found.get(own)?.push({ id: String(id), isByOtherEmail: false });
  for (const other of lowered(values[OTHER_EMAILS]).split(';')) {
    if (other !== own) found.get(other)?.push({ id: String(id), isByOtherEmail: true });
  }
}

const lowered = (value: unknown) => (kit.toText(value) ?? '').toLowerCase();
