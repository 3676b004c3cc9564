import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';

const APP: kit.Mapping = {
  advertiser_tracking_enabled: { from: 'context.device.adTrackingEnabled', required: true },
  application_tracking_enabled: { from: 'properties.application_tracking_enabled', required: true },
  campaign_ids: ['properties.campaignId', 'context.traits.campaignId', 'context.campaign.name'],
  install_referrer: 'properties.install_referrer',
  installer_package: 'properties.installer_package',
  url_schemes: 'properties.url_schemes',
  windows_attribution_id: 'properties.windows_attribution_id',
};
const FAMILY = ['context.device.type'];
const FAMILIES = { apple: 'i2', android: 'a2' };

/**
 * The app in which an event happened, with the sixteen values of `extinfo` in order. Unknown values are empty texts.
 * https://developers.facebook.com/docs/marketing-api/conversions-api/parameters/app-data
 */
export function appData(event: JsonObject): JsonObject {
  const family = kit.deviceFamily(event, FAMILY);
  if (!family) kit.refuse('context.device.type must name a system of Apple or Android');
  const system = kit.firstAt(event, 'context.os.version') ?? kit.refuse('context.os.version is required');
  const at = (path: string) => kit.firstAt(event, path) || '';
  const extinfo = [
    FAMILIES[family],
    ...['context.app.namespace', 'context.app.build', 'context.app.version'].map(at),
    system,
    ...['context.device.model', 'context.locale', 'context.abv_timezone', 'context.network.carrier'].map(at),
    ...['context.screen.width', 'context.screen.height', 'context.screen.density', 'context.cpu_cores'].map(at),
    ...['context.ext_storage_size', 'context.avl_storage_size', 'context.timezone'].map(at),
  ];
  return { ...kit.mapFields(event, APP), extinfo };
}

const REQUIRED = ['context.device.adTrackingEnabled', 'properties.application_tracking_enabled', 'context.os.version'];

/** The same for senders that need not tell it: nothing, unless the event has all that Facebook requires. */
export function appDataIfComplete(event: JsonObject): JsonObject | undefined {
  const isComplete = REQUIRED.every((path) => kit.isGiven(kit.valueAt(event, path)));
  return isComplete && kit.deviceFamily(event, FAMILY) ? appData(event) : undefined;
}
