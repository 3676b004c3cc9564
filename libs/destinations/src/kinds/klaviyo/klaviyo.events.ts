import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';
import { flattened, profileOf } from './klaviyo.profile.js';

const VALUE = kit.REVENUE;

/** https://developers.klaviyo.com/en/reference/create_event */
const EVENT: kit.Mapping = {
  unique_id: 'messageId',
  time: kit.TIMESTAMP,
  value: {
    from: VALUE,
    as: (value) => kit.leadingNumber(value) ?? kit.refuse('the revenue, total or value must be a number'),
  },
  value_currency: kit.CURRENCY,
};
const READ = ['event', 'email', 'phone', 'revenue', 'total', 'value', 'value_currency', 'currency'];

/** An event of API revisions since 2024. Addresses among its properties do not belong to the profile. */
export function eventOf(event: JsonObject, config: JsonObject): JsonObject {
  const properties = kit.omit(kit.objectAt(event, 'properties'), READ);
  const { meta, attributes, ...profile } = profileOf({ ...event, properties }, config);
  return {
    ...kit.mapFields(event, EVENT),
    metric: { data: { type: 'metric', attributes: { name: nameOf(event, ['event', 'name']) } } },
    properties: flattened(properties, config),
    profile: { data: { ...profile, attributes: { ...attributes, meta } } },
  };
}

/** The name of an event under the first of these paths. Klaviyo requires one. */
export function nameOf(event: JsonObject, paths: readonly string[]): string {
  const { event: name } = event;
  if (name && typeof name !== 'string') kit.refuse('the name of the event must be a text');
  return kit.textAt(event, paths) ?? kit.refuse(`the event needs a name: ${paths.join(' or ')}`);
}
