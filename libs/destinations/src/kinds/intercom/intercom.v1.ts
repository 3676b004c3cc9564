import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { companyOf, customOf, eventOf, identityOf, mappedTraits, tagsOf, traitsOf, USER } from './intercom.fields.js';

const API_VERSION = '1.4';
/** API 1 knows no regions. */
const ORIGIN = 'https://api.intercom.io';

/** Users of API 1, for older configurations: https://developers.intercom.com/docs/references/1.4/rest-api */
export function usersTransform(event: JsonObject, config: JsonObject): Payload[] {
  const headers = {
    ...kit.bearerAuth(kit.requiredText(config, 'apiKey')),
    ...{ accept: 'application/json', 'intercom-version': API_VERSION, 'user-agent': kit.SENDER.name },
  };
  const userId = kit.textAt(event, 'anonymousId');
  const call = (path: string, body: JsonObject, params: JsonObject = {}) =>
    kit.jsonRequest(`${ORIGIN}/${path}`, body, { headers, params, userId });
  return kit.byType(event, {
    identify: () => [call('users', userOf(event, config))],
    track: () => [call('events', eventOf(event, config, 'created'))],
    group: () => {
      const company_id = kit.textAt(event, kit.GROUP_ID) ?? kit.refuse('groupId is required');
      const custom = customOf('userCompany', event, traitsOf(event), '.');
      const user = memberOf(event, config, company_id);
      return [
        call('companies', companyOf(event, company_id, custom), tagsOf(event)),
        ...(user ? [call('users', user)] : []),
      ];
    },
  });
}

function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const update_last_request_at = config['updateLastRequestAt'] !== false;
  const common = kit.compact({ name: kit.fullNameOf(event), update_last_request_at });
  const traits = traitsOf(event);
  const { company } = traits;
  const companies = isJsonObject(company) ? { companies: companiesOf(company) } : {};
  const mapped = mappedTraits(event);
  if (mapped) return kit.merged(kit.omit(mapped, ['custom_attributes', 'company']), common, companies);
  return {
    ...identityOf('user_id', event, config),
    ...kit.mapFields(event, USER),
    ...common,
    custom_attributes: customOf('user', event, traits, '.'),
    ...companies,
  };
}

/** Identified by id, or by the hash of the name. Empty without both. */
function companiesOf(company: JsonObject): JsonObject[] {
  const { name, industry, remove } = company;
  const company_id = kit.textAt(company, 'id') ?? (kit.isGiven(name) ? kit.md5(String(kit.toText(name))) : undefined);
  if (!company_id) return [];
  const custom = Object.entries(kit.compact(kit.omit(company, ['id', 'name', 'industry', 'remove']))).map(
    ([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value] as const,
  );
  return [{ company_id, custom_attributes: kit.objectOf(custom), ...kit.compact({ name, industry, remove }) }];
}

/** The user who belongs to the company of a group. The traits of a group are those of the company. */
function memberOf(event: JsonObject, config: JsonObject, company_id: string): JsonObject | undefined {
  const ids = kit.isOn(config, 'sendAnonymousId') ? ['userId', 'anonymousId'] : 'userId';
  const who = kit.compact({ user_id: kit.textAt(event, ids), email: kit.textAt(event, 'context.traits.email') });
  const company = kit.compact({ company_id, name: kit.valueAt(event, 'traits.name') });
  return kit.isEmpty(who) ? undefined : { ...who, companies: [company] };
}
