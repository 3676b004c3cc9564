import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

const EXTERNAL = ['clientUserId', 'shopifyId', 'klaviyoId'];

/** Phone and e-mail of a person. */
export const user = (event: JsonObject): JsonObject =>
  kit.mapFields(event, { phone: kit.trait('phone'), email: kit.trait('email') });

/** Other systems' identifiers of a person: external ids of the context, and custom ones of the traits. */
function external(event: JsonObject): JsonObject {
  const customIdentifiers = kit.firstAt(event, kit.trait('customIdentifiers'));
  return kit.withoutEmpty({
    ...kit.objectOf(EXTERNAL.map((type) => [type, kit.externalId(event, type)])),
    customIdentifiers: Array.isArray(customIdentifiers) ? customIdentifiers : undefined,
  });
}

export const identifiers = (event: JsonObject): JsonObject => ({ ...user(event), ...external(event) });

export function externalIdentifiers(event: JsonObject, keys = [...EXTERNAL, 'customIdentifiers']): JsonObject {
  const found = kit.only(external(event), keys);
  return kit.isEmpty(found) ? {} : { externalIdentifiers: found };
}

/** Time and user of an event. */
export const happening = (event: JsonObject): JsonObject =>
  kit.compact({
    occurredAt: kit.toIso(kit.firstAt(event, kit.TIMESTAMP)),
    user: { ...user(event), ...externalIdentifiers(event) },
  });
