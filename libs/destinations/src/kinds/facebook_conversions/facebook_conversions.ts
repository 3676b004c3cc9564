import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import type { Payload } from '../../kind.js';
import * as kit from '../../toolkit/index.js';
import { appData } from './facebook_conversions.app.js';
import { commerceData, facebookEvent, type StandardEvent } from './facebook_conversions.commerce.js';
import { facebookConversionsBatch, facebookConversionsDeliver } from './facebook_conversions.deliver.js';
import { facebookConversionsRequests } from './facebook_conversions.requests.js';
import { userData, withoutPersonal } from './facebook_conversions.user.js';

/** https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/server-event */
const ACTION_SOURCES = [
  ...['email', 'website', 'app', 'phone_call', 'chat', 'physical_store', 'system_generated', 'business_messaging'],
  'other',
];

/** https://developers.facebook.com/docs/marketing-api/conversions-api/using-the-api */
const HOST = 'https://graph.facebook.com/v25.0';
const DAY_MS = 86_400_000;
/** Shops may report their sales late. */
const DAYS_MAX = { usual: 7, shop: 62 };
const FUTURE_MS = 60_000;

const SERVER_EVENT: kit.Mapping = {
  event_time: { from: kit.TIMESTAMP, as: kit.toUnixSeconds, required: true },
  event_id: [...kit.trait('event_id'), 'properties.event_id', 'messageId'],
  event_source_url: kit.PAGE_URL,
  opt_out: [...kit.trait('opt_out'), 'properties.opt_out'],
};

export default defineKind({
  name: 'FACEBOOK_CONVERSIONS',
  displayName: 'Facebook Conversions',
  messageTypes: ['page', 'screen', 'track'],
  config: {
    blacklistPiiProperties: kit.anything(
      'Personal properties that are not sent, or only hashed: [{ blacklistPiiProperties, blacklistPiiHash }]',
    ),
    datasetId: kit.text('Dataset (pixel) ID'),
    eventsToEvents: kit.listOf(['from', 'to'], 'Standard event in `to` for the event in `from`'),
    categoryToContent: kit.listOf(['from', 'to'], 'Type of the products in `to` for the category in `from`'),
    whitelistPiiProperties: kit.listOf(['whitelistPiiProperties'], 'Personal properties that are sent all the same'),
    limitedDataUSage: kit.flag('Limited data use, as `context.dataProcessingOptions` says'),
    actionSource: kit.text('Where events happened, unless an event says so'),
    accessToken: kit.secret('Access token'),
    testDestination: kit.flag('Events are test events'),
    testEventCode: kit.text('Code of the test'),
    removeExternalId: kit.flag('Events have no external_id'),
  },
  example: { datasetId: '1234567890', actionSource: 'website' },
  requests: facebookConversionsRequests,
  transform(event, config) {
    const standard = kit.byType(event, {
      page: () => ({ name: 'PageView' }),
      screen: () => ({ name: 'PageView' }),
      track: () => facebookEvent(event, config),
    });
    return [request(event, config, standard)];
  },
  batch: facebookConversionsBatch,
  deliver: facebookConversionsDeliver,
});

function request(event: JsonObject, config: JsonObject, standard: StandardEvent): Payload {
  const dataset = kit.requiredText(config, 'datasetId');
  const token = kit.requiredText(config, 'accessToken');
  const source = actionSource(event, config);
  refuseStale(event, source === 'physical_store' ? DAYS_MAX.shop : DAYS_MAX.usual);
  const { hashed, contentType } = kit.integrationOptions(event, ...OPTION_NAMES);
  const data = JSON.stringify({
    user_data: userData(event, config, Boolean(hashed)),
    event_name: standard.name,
    ...kit.mapFields(event, SERVER_EVENT),
    action_source: source,
    ...dataProcessing(event, config),
    ...(source === 'app' && { app_data: appData(event) }),
    custom_data: {
      ...withoutPersonal(kit.objectAt(event, 'properties'), config, Boolean(hashed)),
      ...commerceData(event, config, standard, contentType || undefined),
    },
  });
  const code = kit.isOn(config, 'testDestination') ? kit.configText(config, 'testEventCode') : '';
  return kit.restPayload({
    method: 'POST',
    endpoint: `${HOST}/${encodeURIComponent(dataset)}/events?access_token=${encodeURIComponent(token).replaceAll('%7C', '|')}`,
    body: { FORM: { data: [data], ...(code !== '' && { test_event_code: code }) } },
  });
}

const OPTION_NAMES = [
  'fb_conversions',
  'fb conversions',
  'FacebookConversions',
  'Facebook Conversions',
  'Facebook_Conversions',
];

/** One event that is too old or from the future makes Facebook refuse the whole request. */
function refuseStale(event: JsonObject, days: number): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && (age > days * DAY_MS || age < -FUTURE_MS)) {
    kit.refuse(`the event must be from the last ${days} days, and at most a minute ahead`);
  }
}

/** From the event, the configuration, or the channel, because Facebook requires it. Only the event's own is checked. */
function actionSource(event: JsonObject, config: JsonObject): string {
  const given = kit.firstAt(event, [...kit.trait('action_source'), 'properties.action_source']);
  if (given === undefined) {
    return kit.configText(config, 'actionSource') || (event['channel'] === 'web' ? 'website' : 'other');
  }
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
