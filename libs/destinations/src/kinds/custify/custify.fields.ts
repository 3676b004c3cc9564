import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

const idFrom = (from: kit.Source): kit.Rule => ({ from, as: [kit.onlyId, kit.toText] });
const EMAIL: kit.Rule = { from: kit.EMAIL, as: kit.onlyText };
/** The sign-up, or the time of the event where the traits do not tell it. */
const signUp = (traits: readonly string[]): kit.Rule => ({ from: [...traits, ...kit.TIMESTAMP], as: kit.toIso });

const PERSON: kit.Mapping = {
  email: EMAIL,
  phone: { from: kit.PHONE, as: kit.onlyId },
  session_count: { from: kit.trait('sessionCount', 'session_count'), as: kit.toNumber },
  signed_up_at: signUp(kit.trait('signed_up_at', 'createdAt')),
  unsubscribed_from_emails: {
    from: kit.trait('unsubscribedFromEmails', 'unsubscribed_from_emails'),
    as: kit.toBoolean,
  },
  unsubscribed_from_calls: { from: kit.trait('unsubscribedFromCalls', 'unsubscribed_from_calls'), as: kit.toBoolean },
};
/** Traits under Custify's own names, and those that name companies. Others are custom attributes. */
const PERSON_FIELDS = ['user_id', 'name', ...Object.keys(PERSON), 'company', 'companies'];

const COMPANY: kit.Mapping = {
  company_id: { ...idFrom(kit.GROUP_ID), required: true },
  name: { from: 'traits.name', as: kit.onlyText },
  industry: { from: 'traits.industry', as: kit.onlyText },
  size: { from: 'traits.size', as: kit.onlyId },
  website: { from: ['traits.website', 'traits.url'], as: kit.onlyText },
  plan: { from: 'traits.plan', as: kit.onlyText },
  monthly_revenue: { from: ['traits.monthlyRevenue', 'traits.mrr', 'traits.monthly_revenue'], as: kit.toNumber },
  churned: { from: 'traits.churned', as: kit.toBoolean },
  signed_up_at: { from: ['traits.signed_up_at', 'traits.createdAt'], as: kit.toIso },
};
const COMPANY_FIELDS = [...Object.keys(COMPANY), ...kit.keysRead(COMPANY, 'traits')];

const EVENT: kit.Mapping = {
  email: EMAIL,
  company_id: idFrom(kit.property('company_id', 'companyId')),
  created_at: { from: kit.TIMESTAMP, as: kit.toIso },
};

/** Custify has flat attributes: objects and lists are left out. */
function flat(key: string, object: JsonObject, taken: readonly string[] = []): JsonObject {
  const attributes = kit.pick(kit.omit(object, taken), kit.isScalar);
  return kit.isEmpty(attributes) ? {} : { [key]: attributes };
}

/** Whether Custify can find the person of a body. */
export const isKnown = (body: JsonObject): boolean => body['user_id'] !== undefined || body['email'] !== undefined;

const known = (body: JsonObject): JsonObject =>
  isKnown(body) ? body : kit.refuse('userId or traits.email is required');

/** A person without companies. `users` lists where the id is. */
const fieldsOf = (event: JsonObject, users: kit.Source): JsonObject => ({
  ...kit.mapFields(event, { user_id: idFrom(users), ...PERSON }),
  ...kit.compact({ name: kit.fullNameOf(event) }),
  ...flat('custom_attributes', kit.givenTraits(event) ?? {}, PERSON_FIELDS),
});

/** The person of an identify. The trait `company` adds them to a company, or removes them from it. */
export function personOf(event: JsonObject, users: kit.Source): JsonObject {
  const company_id = kit.textAt(event, kit.trait('company.id'));
  const remove = kit.firstAt(event, kit.trait('company.remove')) === true;
  return {
    ...known(fieldsOf(event, users)),
    ...(company_id !== undefined && { companies: [{ company_id, remove }] }),
  };
}

export const companyOf = (event: JsonObject): JsonObject => ({
  ...kit.mapFields(event, COMPANY),
  ...flat('custom_attributes', kit.objectAt(event, 'traits'), COMPANY_FIELDS),
});

/** The user of a group as a member of its company, to which the traits of the event belong. */
export const memberOf = (event: JsonObject, users: kit.Source, { company_id }: JsonObject): JsonObject => ({
  ...fieldsOf(kit.omit(event, ['traits']), users),
  companies: [{ company_id, remove: false }],
});

export const eventOf = (event: JsonObject, users: kit.Source): JsonObject => ({
  name: kit.eventName(event),
  ...known(kit.mapFields(event, { user_id: idFrom(users), ...EVENT })),
  ...flat('metadata', kit.objectAt(event, 'properties')),
});
