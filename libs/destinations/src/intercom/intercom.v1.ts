import { isJsonObject, type JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { originOf } from './intercom.api.js';
import { eventOf } from './intercom.event.js';
import { COMPANY, companyCustomOf, customOf, mappedId, USER, userIdOf } from './intercom.fields.js';

const API_VERSION = '1.4';

/** Users of API 1, for older configurations: https://developers.intercom.com/docs/references/1.4/rest-api */
export function usersTransform(event: JsonObject, config: JsonObject): Payload[] {
  const headers = {
    ...kit.bearerAuth(kit.requiredText(config, 'apiKey')),
    ...{ accept: 'application/json', 'intercom-version': API_VERSION, 'user-agent': kit.SENDER.name },
  };
  const userId = kit.textAt(event, 'anonymousId');
  const call = (path: string, body: JsonObject) =>
    kit.jsonRequest(`${originOf(config)}/${path}`, body, { headers, userId });
  return kit.byType(event, {
    identify: () => [call('users', userOf(event, config))],
    track: () => [call('events', eventOf(event, config, 'created'))],
    group: () => {
      const { user, company } = membership(event);
      return [call('companies', company), ...(user ? [call('users', user)] : [])];
    },
  });
}

function userOf(event: JsonObject, config: JsonObject): JsonObject {
  const traits = kit.mergedTraits(event);
  const update_last_request_at = config['updateLastRequestAt'] !== false;
  const common = kit.compact({ name: kit.fullName(traits), update_last_request_at });
  const mapped = mappedId(event);
  if (mapped) return kit.merged(kit.omit(traits, ['custom_attributes']), { [mapped[0]]: mapped[1] }, common);
  const { company } = traits;
  const user = { ...kit.compact({ user_id: userIdOf(event, config) }), ...kit.mapFields(event, USER), ...common };
  if (!('user_id' in user) && !('email' in user)) kit.refuse('userId or traits.email is required');
  return {
    ...user,
    custom_attributes: customOf(traits, USER),
    ...(isJsonObject(company) && { companies: companiesOf(company) }),
  };
}

/** Identified by id, or by the hash of the name. Empty without both. */
function companiesOf(company: JsonObject): JsonObject[] {
  const name = kit.textAt(company, 'name');
  const company_id = kit.textAt(company, 'id') ?? (name && kit.md5(name));
  if (!company_id) return [];
  const custom = Object.entries(kit.compact(companyCustomOf(company))).map(
    ([key, value]) => [key, typeof value === 'object' ? JSON.stringify(value) : value] as const,
  );
  const { remove } = company;
  return [
    {
      company_id,
      ...kit.mapFields(company, COMPANY),
      ...kit.compact({ remove }),
      custom_attributes: kit.objectOf(custom),
    },
  ];
}

/** The company of a group, and the user who belongs to it. The traits of a group are those of the company. */
function membership(event: JsonObject): { company: JsonObject; user?: JsonObject } {
  const company_id = kit.textAt(event, 'groupId') ?? kit.refuse('groupId is required');
  const traits = kit.objectAt(event, 'traits');
  const custom_attributes = kit.flatten(companyCustomOf(traits));
  const company = { company_id, ...kit.mapFields(traits, COMPANY), ...kit.withoutEmpty({ custom_attributes }) };
  const who = kit.compact({ user_id: kit.textAt(event, 'userId'), email: kit.textAt(event, 'context.traits.email') });
  if (kit.isEmpty(who)) return { company };
  return { company, user: { ...who, companies: [kit.compact({ company_id, name: traits['name'] })] } };
}
