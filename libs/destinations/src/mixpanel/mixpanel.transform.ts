import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { distinctId, eventOf, isSimplified, viewName } from './mixpanel.event.js';
import { groups, identify, increments, ip, merge, revenue } from './mixpanel.updates.js';

/** Sends events to `/import`, people to `/engage` and groups to `/groups`: https://developer.mixpanel.com/reference/overview */
export function mixpanelTransform(event: JsonObject, config: JsonObject): Payload[] {
  const to = requests(event, config);
  return kit.byType(event, {
    identify: () => [...identify(event, config).map(to.engage), ...merge(event, config).map(to.import)],
    track: () => {
      const name = kit.eventName(event);
      return [
        ...revenue(event).map(to.engage),
        ...increments(event, config, name).map(to.engage),
        to.import(eventOf(event, config, name)),
      ];
    },
    page: () => [to.import(eventOf(event, config, viewName(event, config, 'Page')))],
    screen: () => [to.import(eventOf(event, config, viewName(event, config, 'Screen')))],
    group: () =>
      groups(event, config).flatMap(({ key, values }) => [
        to.engage({ $set: { [key]: values }, ...ip(event) }),
        ...values.map((value) => to.group(key, value)),
      ]),
    alias: () => {
      if (isSimplified(config)) kit.refuse('projects with simplified identity merge have no aliases');
      const properties = {
        distinct_id: kit.textAt(event, ['previousId', 'anonymousId']),
        alias: kit.textAt(event, 'userId'),
      };
      return [to.import({ event: '$create_alias', properties })];
    },
  });
}

function requests(event: JsonObject, config: JsonObject) {
  const token = kit.requiredText(config, 'token');
  const region = kit.configText(config, 'dataResidency').toLowerCase();
  const host = `https://api${region === 'eu' || region === 'in' ? `-${region}` : ''}.mixpanel.com`;
  const userId = kit.textAt(event, ['userId', 'anonymousId']);
  const verbose = { params: { verbose: 2 }, userId };
  const strict = {
    params: { strict: kit.isOn(config, 'strictMode') ? 1 : 0 },
    headers: kit.basicAuth(token, ''),
    userId,
  };
  return {
    import: ({ properties, ...item }: JsonObject): Payload =>
      kit.jsonArrayRequest(
        `${host}/import/`,
        [{ ...item, properties: kit.merged(kit.objectAt({ properties }, 'properties'), { token }) }],
        strict,
      ),
    engage: (update: JsonObject): Payload =>
      kit.jsonArrayRequest(
        `${host}/engage/`,
        [{ ...update, $token: token, $distinct_id: distinctId(event, config) }],
        verbose,
      ),
    group: (key: string, value: unknown): Payload => {
      const update = { $token: token, $group_key: key, $group_id: value, $set: kit.objectAt(event, 'traits') };
      return kit.jsonArrayRequest(`${host}/groups/`, [update], verbose);
    },
  };
}
