import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import { restPayload } from '../payload.js';
import * as kit from '../toolkit/index.js';
import { commerceData, facebookEvent } from './facebook_conversions.commerce.js';
import { ACTION_SOURCES } from './facebook_conversions.definition.js';
import { userData, withoutPersonal } from './facebook_conversions.user.js';

/** https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api */
const HOST = 'https://graph.facebook.com/v25.0';
const WEEK_MS = 7 * 86_400_000;
const FUTURE_MS = 60_000;

const SERVER_EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  event_id: [...kit.trait('event_id'), 'properties.event_id', 'properties.eventId', 'messageId'],
  event_source_url: 'context.page.url',
  opt_out: { from: [...kit.trait('opt_out'), 'properties.opt_out'], as: kit.toBoolean },
};

export function facebookConversionsTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (name: string) => [request(event, config, name)];
  return kit.byType(event, {
    page: () => send('PageView'),
    screen: () => send('PageView'),
    track: () => send(facebookEvent(event, config)),
  });
}

function request(event: JsonObject, config: JsonObject, name: string): Payload {
  const dataset = kit.requiredText(config, 'datasetId');
  const token = kit.requiredText(config, 'accessToken');
  refuseStale(event);
  const data = JSON.stringify({
    user_data: userData(event, config),
    event_name: name,
    ...kit.mapFields(event, SERVER_EVENT),
    action_source: actionSource(event, config),
    ...dataProcessing(event, config),
    custom_data: {
      ...withoutPersonal(kit.objectAt(event, 'properties'), config),
      ...commerceData(event, name),
    },
  });
  const code = kit.isOn(config, 'testDestination') ? kit.configText(config, 'testEventCode') : '';
  return restPayload({
    method: 'POST',
    endpoint: `${HOST}/${encodeURIComponent(dataset)}/events?access_token=${encodeURIComponent(token)}`,
    body: { FORM: { data: [data], ...(code !== '' && { test_event_code: code }) } },
  });
}

/** One event that is too old or from the future makes Facebook refuse the whole request. */
function refuseStale(event: JsonObject): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && (age > WEEK_MS || age < -FUTURE_MS)) {
    kit.refuse('the event must be from the last seven days, and at most a minute ahead');
  }
}

const SOURCE_BY_CHANNEL: Readonly<Record<string, string>> = { web: 'website', mobile: 'app' };

/** From the event, the configuration, or the channel, in that order. */
function actionSource(event: JsonObject, config: JsonObject): string {
  const given = [kit.valueAt(event, 'properties.action_source'), config['actionSource']];
  const known = given.find((source) => typeof source === 'string' && ACTION_SOURCES.includes(source));
  return typeof known === 'string' ? known : (kit.lookedUp(SOURCE_BY_CHANNEL, String(event['channel'])) ?? 'other');
}

/** `context.dataProcessingOptions: [["LDU"], 1, 1000]` holds the options, a country and a state. */
function dataProcessing(event: JsonObject, config: JsonObject): JsonObject {
  const isLimited = kit.isOn(config, 'limitedDataUSage') || kit.isOn(config, 'limitedDataUsage');
  const [options, country, state] = kit.onlyArray(kit.valueAt(event, 'context.dataProcessingOptions')) ?? [];
  if (!isLimited || options === undefined) return {};
  return kit.compact({
    data_processing_options: options,
    data_processing_options_country: country,
    data_processing_options_state: state,
  });
}
