import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { appDataIfComplete } from '../../facebook/app-data.js';
import { type NamedEvent, standardEvent } from '../../facebook/commerce.js';
import { conversionsBatch, conversionsDeliver } from '../../facebook/deliver.js';
import { conversionsRequests } from '../../facebook/requests.js';
import { actionSource, eventsRequest } from '../../facebook/server-event.js';
import * as kit from '../../toolkit/index.js';
import { COMMERCE, OTHER_STANDARD, type StandardEvent, VALUE_FIELDS } from './facebook_pixel.commerce.js';
import { customData } from './facebook_pixel.custom.js';

const OPTION_NAMES = ['Facebook Pixel', 'FacebookPixel', 'facebook_pixel', 'fb pixel', 'fb_pixel', 'fbpixel'];
const SOURCES: Readonly<Record<string, string>> = { web: 'website', mobile: 'app' };

export default defineKind({
  name: 'FACEBOOK_PIXEL',
  displayName: 'Facebook Pixel',
  messageTypes: ['identify', 'page', 'screen', 'track'],
  config: {
    blacklistPiiProperties: kit.anything(
      'Properties that are sent as hashes only: [{ blacklistPiiProperties, blacklistPiiHash }]. Personal ones are not sent otherwise',
    ),
    pixelId: kit.text('Pixel (dataset) ID'),
    eventsToEvents: kit.listOf(['from', 'to'], 'Standard event in `to` for the event in `from`'),
    categoryToContent: kit.listOf(['from', 'to'], 'Type of the products in `to` for the category in `from`'),
    valueFieldIdentifier: kit.words(VALUE_FIELDS, 'Value of a product that is viewed or added; 0 when not given'),
    advancedMapping: kit.flag('Advanced matching: an identify updates the user at Facebook, and is refused otherwise'),
    whitelistPiiProperties: kit.listOf(['whitelistPiiProperties'], 'Personal properties that are sent all the same'),
    limitedDataUSage: kit.flag('Limited data use, as `context.dataProcessingOptions` says'),
    accessToken: kit.secret('Access token'),
    testDestination: kit.flag('Events are test events'),
    testEventCode: kit.text('Code of the test'),
    standardPageCall: kit.flag('Every page is the standard event PageView, whatever its name'),
    removeExternalId: kit.flag('Events have no external_id'),
  },
  example: { pixelId: '1234567890', advancedMapping: true },
  // custom data may hold any property of the event
  requests: conversionsRequests({ type: 'object' }),
  transform(event, config) {
    const options = kit.integrationOptions(event, ...OPTION_NAMES);
    const isHashed = Boolean(options['hashed']);
    const named = kit.byType<Named>(event, {
      identify: () => identify(config),
      page: () => page(event, config),
      screen: () => pageView(config),
      track: () => standardEvent(event, config, { commerce: COMMERCE, simple: OTHER_STANDARD, areOwnNames: true }),
    });
    const source = actionSource(event, options) ?? kit.lookedUp(SOURCES, String(event['channel'])) ?? 'other';
    const data = kit.withoutEmpty({
      app_data: source === 'app' ? appDataIfComplete(event) : undefined,
      custom_data: named.isPerson ? undefined : customData(event, config, { ...named, options, isHashed }),
    });
    const receiver = kit.requiredText(config, 'pixelId');
    return [eventsRequest(event, config, { receiver, name: named.name, source, isHashed, data })];
  },
  batch: conversionsBatch,
  deliver: conversionsDeliver,
});

interface Named extends NamedEvent<StandardEvent> {
  /** The event is about the person only. */
  isPerson?: boolean;
}

function identify(config: JsonObject): Named {
  if (!kit.isOn(config, 'advancedMapping')) {
    kit.refuse("An identify needs advancedMapping in the destination's configuration");
  }
  return { name: 'identify', isPerson: true };
}

const pageView = (config: JsonObject): Named => ({
  name: 'PageView',
  isStandard: kit.isOn(config, 'standardPageCall'),
});

function page(event: JsonObject, config: JsonObject): Named {
  const name = kit.textAt(event, 'name')?.slice(0, kit.NAME_LENGTH_MAX);
  return name === undefined || kit.isOn(config, 'standardPageCall')
    ? pageView(config)
    : { name: `Viewed page ${name}` };
}
