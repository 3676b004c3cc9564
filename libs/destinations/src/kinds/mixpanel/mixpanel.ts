import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { isTaken, sendPayload } from '../../delivery/send-payload.js';
import type { DeliveryResult, DestinationKind, ItemOutcome, Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { mixpanelDeletion } from './mixpanel.deletion.js';
import { distinctId, isSimplified, refuseOld, regionOf, timeOf, trackEvent, viewEvent } from './mixpanel.event.js';
import { groupsOf, increments, profileUpdates, revenue, type Update } from './mixpanel.profile.js';

const PROPERTY = ['property'];

/** `/import` takes 2,000 events and 10 MB, `/engage` and `/groups` take 2,000 updates. */
export const mixpanelBatch = kit.batchArrays({ itemsMax: 2_000, bytesMax: 5_000_000, outcomes: refusedByPlace });

/** `/import` stores the valid events of a batch even when it answers 400, and names the others by index. */
function refusedByPlace({ status, response }: DeliveryResult, payloads: readonly Payload[]): ItemOutcome[] | undefined {
  const failed = kit.valueAt(response, 'failed_records');
  if (status !== 400 || !Array.isArray(failed) || failed.length === 0) return undefined;
  const reasons = new Map(failed.map((record: unknown) => [kit.valueAt(record, 'index'), record]));
  return kit.outcomesByItem(payloads.map(kit.arrayOf), (_, place) => reasons.get(place));
}

/** `/engage` and `/groups` answer 200 even if they refuse. With `verbose`, the body holds the result and the reason. */
export const mixpanelDeliver: NonNullable<DestinationKind['deliver']> = async (payload, _config, outbound, options) => {
  const result = await sendPayload(payload, outbound, options);
  const isRefused = kit.valueAt(result.response, 'status') === 0 || Boolean(kit.valueAt(result.response, 'error'));
  return isTaken(result) && isRefused ? { ...result, status: 400 } : result;
};

const listOf = (required: readonly string[], properties: JsonObject) => ({
  type: 'array',
  minItems: 1,
  items: { type: 'object', required, properties },
});

export default defineKind({
  name: 'MP',
  displayName: 'Mixpanel',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'router',
  config: {
    token: kit.text('Project token. Events can do without it if a service account is given'),
    serviceAccountUserName: kit.text('Service account, for projects without a token'),
    serviceAccountSecret: kit.secret('Secret of the service account'),
    dataResidency: kit.asAddress(
      kit.words(['us', 'eu', 'in'], 'Where the project keeps its data: `eu` or `in`, anything else means us'),
    ),
    identityMergeApi: kit.words(
      ['simplified', 'original'],
      'How the project merges identities: `simplified`, anything else means original',
    ),
    groupKeySettings: kit.listOf(['groupKey'], 'Group keys of the project'),
    useNewMapping: kit.flag('Send first and last names as $first_name and $last_name'),
    setOnceProperties: kit.listOf(PROPERTY, 'Traits that are set once'),
    unionProperties: kit.listOf(PROPERTY, 'Traits that are merged into lists'),
    appendProperties: kit.listOf(PROPERTY, 'Traits that are appended to lists'),
    superProperties: kit.listOf(PROPERTY, 'Read by the SDKs'),
    propIncrements: kit.listOf(PROPERTY, 'Properties of events that are added up in the profile'),
    eventIncrements: kit.listOf(PROPERTY, 'Read by the SDKs'),
    dropTraitsInTrackEvent: kit.flag('Leave the traits out of track events'),
    strictMode: kit.flag('Have Mixpanel check every event'),
    useUserDefinedPageEventName: kit.flag('Name page events by userDefinedPageEventTemplate'),
    userDefinedPageEventTemplate: kit.text('Name of page events, in which {{ name }} and {{ category }} are filled in'),
    useUserDefinedScreenEventName: kit.flag('Name screen events by userDefinedScreenEventTemplate'),
    userDefinedScreenEventTemplate: kit.text(
      'Name of screen events, in which {{ name }} and {{ category }} are filled in',
    ),
    userDeletionApi: kit.asAddress(kit.choice(['engage', 'task'], 'Delete profiles only, or with `task` all data')),
    gdprApiToken: kit.secret('For `task`'),
    projectId: kit.anything('Project id, for the service account'),
  },
  example: { token: 'public-token', dataResidency: 'us', groupKeySettings: [{ groupKey: 'domain' }] },
  requests: {
    'POST /import/': listOf(['event', 'properties'], { event: kit.FILLED_TEXT, properties: { type: 'object' } }),
    'POST /engage/': listOf(['$token', '$distinct_id'], { $token: kit.FILLED_TEXT, $distinct_id: kit.FILLED_TEXT }),
    'POST /groups/': listOf(['$token', '$group_key', '$group_id', '$set'], {
      $token: kit.FILLED_TEXT,
      $group_key: kit.FILLED_TEXT,
    }),
  },
  /** Sends events to `/import`, people to `/engage` and groups to `/groups`: https://developer.mixpanel.com/reference/overview */
  transform(event, config) {
    const to = requests(event, config);
    return kit.byType(event, {
      identify: () => [...profileUpdates(event, config).map(to.profile), ...merge(event, config).map(to.import)],
      track: () => {
        const item = to.import(trackEvent(event, config));
        return [...[...revenue(event), ...increments(event, config)].map(to.profile), item];
      },
      page: () => [to.import(viewEvent(event, config, 'Page'))],
      screen: () => [to.import(viewEvent(event, config, 'Screen'))],
      group: () =>
        groupsOf(event, config).flatMap(({ key, values }) => [
          to.engage({ $set: { [key]: values }, ...ip(event) }),
          ...values.map((value) => to.group(key, value)),
        ]),
      alias: () => [to.import(alias(event, config))],
    });
  },
  batch: mixpanelBatch,
  deliver: mixpanelDeliver,
  deletion: mixpanelDeletion,
});

const ip = (event: JsonObject) => kit.mapFields(event, { $ip: kit.IP });

/** Simplified projects need no merge events, because they merge by the ids of each event. */
function merge(event: JsonObject, config: JsonObject): JsonObject[] {
  const ids = [kit.textAt(event, 'userId'), kit.textAt(event, 'anonymousId')];
  if (isSimplified(config) || !ids.every(Boolean)) return [];
  return [{ event: '$merge', properties: { $distinct_ids: ids, ...tokenOf(config) } }];
}

function alias(event: JsonObject, config: JsonObject): JsonObject {
  if (isSimplified(config)) kit.refuse('projects with simplified identity merge have no aliases');
  refuseOld(event);
  const [earlier, userId] = [kit.firstAt(event, ['previousId', 'anonymousId']), event['userId']];
  if (![earlier, userId].every((id) => id && kit.textAt({ id }, 'id')))
    kit.refuse('an alias needs a userId, and a previousId or an anonymousId');
  if (earlier === userId) kit.refuse('the earlier id of an alias must differ from its userId');
  return { event: '$create_alias', properties: { distinct_id: earlier, alias: userId, ...tokenOf(config) } };
}

const tokenOf = (config: JsonObject) => kit.compact({ token: kit.configText(config, 'token') || undefined });

function requests(event: JsonObject, config: JsonObject) {
  const region = regionOf(config);
  const host = `https://api${region === 'us' ? '' : `-${region}`}.mixpanel.com`;
  const userId = kit.textAt(event, ['userId', 'anonymousId']);
  const update = (path: string, item: JsonObject): Payload =>
    kit.jsonArrayRequest(`${host}/${path}/`, [{ ...item, $token: kit.requiredText(config, 'token') }], {
      params: { verbose: 2 },
      userId,
    });
  const engage = (item: JsonObject): Payload => {
    const $distinct_id = distinctId(event, config);
    if (!$distinct_id) kit.refuse('a profile needs a userId or an anonymousId');
    return update('engage', { ...item, $distinct_id });
  };
  return {
    import: (item: JsonObject): Payload =>
      kit.jsonArrayRequest(`${host}/import/`, [item], { ...account(config), userId }),
    engage,
    profile: ([operation, values]: Update): Payload =>
      engage({ [operation]: values, ...(operation === '$set' && { ...ip(event), ...timesOf(event) }) }),
    group: (key: string, value: unknown): Payload =>
      update('groups', { $group_key: key, $group_id: value, $set: kit.objectAt(event, 'traits') }),
  };
}

/** A profile that is seen at a time. Updates from inactive users do not count as seen. */
const timesOf = (event: JsonObject): JsonObject => ({
  $time: timeOf(event),
  ...(kit.valueAt(event, 'context.active') === false && { $ignore_time: true }),
});

/** Who imports: the project by its token, or else a service account. */
function account(config: JsonObject) {
  const strict = config['strictMode'] ? 1 : 0;
  const [token, user] = [kit.configText(config, 'token'), kit.configText(config, 'serviceAccountUserName')];
  if (token || !user) return { params: { strict }, headers: kit.basicAuth(kit.requiredText(config, 'token'), '') };
  const headers = kit.basicAuth(user, kit.requiredText(config, 'serviceAccountSecret'));
  return { params: { strict, project_id: kit.configText(config, 'projectId') }, headers };
}
