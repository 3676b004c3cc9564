import type { JsonObject } from '@weir/contracts';
import type { Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { userData } from './user-data.js';

/** https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api */
const HOST = 'https://graph.facebook.com/v25.0';
const DAY_MS = 86_400_000;
/** Shops may report their sales late. */
const DAYS_MAX = { usual: 7, shop: 62 };
const FUTURE_MS = 60_000;

/** https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event */
const ACTION_SOURCES = [
  ...['email', 'website', 'app', 'phone_call', 'chat', 'physical_store', 'system_generated', 'business_messaging'],
  'other',
];
const ACTION_SOURCE = [...kit.trait('action_source'), 'properties.action_source'];

const SERVER_EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  event_id: [...kit.trait('event_id'), 'properties.event_id', 'messageId'],
  event_source_url: kit.PAGE_URL,
  opt_out: [...kit.trait('opt_out'), 'properties.opt_out'],
};

interface ServerEvent {
  /** The pixel or data set. */
  receiver: string;
  name: string;
  /** Where the event happened, see {@link actionSource}. */
  source: string;
  /** The sender has hashed the personal fields. */
  isHashed: boolean;
  /** Data of the event and of the app. */
  data: JsonObject;
}

/** A request of the Conversions API with one event. The kinds that use it name their settings alike. */
export function eventsRequest(event: JsonObject, config: JsonObject, { data, ...about }: ServerEvent): Payload {
  const token = kit.requiredText(config, 'accessToken');
  refuseStale(event, about.source === 'physical_store' ? DAYS_MAX.shop : DAYS_MAX.usual);
  const item = JSON.stringify({
    user_data: userData(event, config, about.isHashed),
    event_name: about.name,
    ...kit.mapFields(event, SERVER_EVENT),
    action_source: about.source,
    ...dataProcessing(event, config),
    ...data,
  });
  const code = kit.isOn(config, 'testDestination') ? kit.configText(config, 'testEventCode') : '';
  return kit.restPayload({
    method: 'POST',
    endpoint: `${HOST}/${encodeURIComponent(about.receiver)}/events?access_token=${encodeURIComponent(token).replaceAll('%7C', '|')}`,
    body: { FORM: { data: [item], ...(code !== '' && { test_event_code: code }) } },
  });
}

/** One event that is too old or from the future makes Facebook refuse the whole request. */
function refuseStale(event: JsonObject, days: number): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && (age > days * DAY_MS || age < -FUTURE_MS)) {
    kit.refuse(`the event must be from the last ${days} days, and at most a minute ahead`);
  }
}

/** The event's own, which must be one that Facebook knows, or that of its options. Undefined where none says it. */
export function actionSource(event: JsonObject, options: JsonObject = {}): string | undefined {
  const given = kit.firstAt(event, ACTION_SOURCE) ?? kit.firstAt(options, 'action_source');
  if (given === undefined) return undefined;
  const known = ACTION_SOURCES.find((source) => source === given);
  return known ?? kit.refuse(`action_source must be one of ${ACTION_SOURCES.join(', ')}`);
}

/** `context.dataProcessingOptions: [["LDU"], 1, 1000]` holds the options, a country and a state. */
function dataProcessing(event: JsonObject, config: JsonObject): JsonObject {
  const [options, country, state] = kit.onlyArray(kit.valueAt(event, 'context.dataProcessingOptions')) ?? [];
  if (!kit.isOn(config, 'limitedDataUSage')) return {};
  return kit.compact({
    data_processing_options: options,
    data_processing_options_country: country,
    data_processing_options_state: state,
  });
}
