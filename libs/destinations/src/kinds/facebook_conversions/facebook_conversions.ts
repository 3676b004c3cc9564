import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { appData } from '../../facebook/app-data.js';
import { type NamedEvent, standardEvent } from '../../facebook/commerce.js';
import { conversionsBatch, conversionsDeliver } from '../../facebook/deliver.js';
import { withoutPersonal } from '../../facebook/personal.js';
import { conversionsRequests } from '../../facebook/requests.js';
import { actionSource, eventsRequest } from '../../facebook/server-event.js';
import * as kit from '../../toolkit/index.js';
import { COMMERCE, commerceData, type StandardEvent } from './facebook_conversions.commerce.js';

const OPTION_NAMES = [
  'fb_conversions',
  'fb conversions',
  'FacebookConversions',
  'Facebook Conversions',
  'Facebook_Conversions',
];

const CUSTOM_DATA = kit.objectWith(['currency'], {
  value: { type: 'number' },
  contents: { type: 'array', items: kit.objectWith(['id', 'quantity']) },
  content_category: kit.FILLED_TEXT,
  num_items: { type: 'integer' },
});

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
  requests: conversionsRequests(CUSTOM_DATA, ['custom_data']),
  transform(event, config) {
    const { name, standard } = kit.byType<NamedEvent<StandardEvent>>(event, {
      page: () => PAGE,
      screen: () => PAGE,
      track: () => standardEvent(event, config, { commerce: COMMERCE }),
    });
    const options = kit.integrationOptions(event, ...OPTION_NAMES);
    const isHashed = Boolean(options['hashed']);
    const source = sourceOf(event, config);
    const data = {
      ...(source === 'app' && { app_data: appData(event) }),
      custom_data: {
        ...withoutPersonal(kit.objectAt(event, 'properties'), config, isHashed),
        ...commerceData(event, config, standard, options),
      },
    };
    const receiver = kit.requiredText(config, 'datasetId');
    return [eventsRequest(event, config, { receiver, name, source, isHashed, data })];
  },
  batch: conversionsBatch,
  deliver: conversionsDeliver,
});

const PAGE = { name: 'PageView' };

/** From the event, the configuration, or the channel, because Facebook requires it. Only the event's own is checked. */
const sourceOf = (event: JsonObject, config: JsonObject): string =>
  actionSource(event) ?? (kit.configText(config, 'actionSource') || (event['channel'] === 'web' ? 'website' : 'other'));
