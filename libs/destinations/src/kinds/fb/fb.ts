import { isIP } from 'node:net';
import type { JsonObject } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import * as kit from '../../toolkit/index.js';
import { FORWARDED, fbDeliver, HOST } from './fb.deliver.js';
import { extendedInfo, userFields } from './fb.device.js';
import { appEvent, screenName, trackName } from './fb.events.js';
import { fbRequests } from './fb.requests.js';

const APP: kit.Mapping = {
  advertiser_id: { from: 'context.device.advertisingId', as: kit.onlyText },
  app_user_id: { from: kit.KNOWN_USER_ID, as: [kit.onlyId, kit.toText] },
};
/** Consent of the person and of the app. Nothing is allowed unless it is said. */
const TRACKING: kit.Mapping = {
  advertiser_tracking_enabled: { from: 'context.device.adTrackingEnabled', as: toSwitch, default: '0' },
  application_tracking_enabled: {
    from: ['properties.application_tracking_enabled', 'context.application_tracking_enabled'],
    as: toSwitch,
    default: '0',
  },
};
/** Apple's answer of the person to tracking. It wins, because devices may have tracking enabled all the same. */
const ASKED: kit.Mapping = {
  advertiser_tracking_enabled: {
    from: 'context.device.attTrackingStatus',
    as: kit.oneOf({ 0: '0', 1: '0', 2: '0', 3: '1' }),
  },
};

export default defineKind({
  name: 'FB',
  displayName: 'Facebook App Events',
  messageTypes: ['page', 'screen', 'track'],
  config: {
    appID: kit.required(kit.text('Facebook app ID')),
    limitedDataUse: kit.flag('Facebook limits the use of the data, for the country and state below'),
    dpoCountry: kit.number('Country of limited data use: 1 is the US. Default: 0, where Facebook sees the person'),
    dpoState: kit.number('State of limited data use: 1000 is California. Default: 0, where Facebook sees the person'),
  },
  example: { appID: '1234567890' },
  requests: fbRequests,
  transform(event, config) {
    const app = kit.pathSegment(kit.requiredText(config, 'appID'));
    const send = (name: string) => [
      kit.restPayload({
        ...{ method: 'POST', endpoint: `${HOST}/${app}/activities`, headers: senderOf(event) },
        body: { FORM: formOf(event, config, name) },
        userId: kit.textAt(event, ['userId', 'anonymousId']),
      }),
    ];
    return kit.byType(event, {
      page: () => send('Viewed Page'),
      screen: () => send(screenName(event)),
      track: () => send(trackName(event)),
    });
  },
  deliver: fbDeliver,
});

const formOf = (event: JsonObject, config: JsonObject, name: string): JsonObject => ({
  event: 'CUSTOM_APP_EVENTS',
  ...kit.mapFields(event, APP),
  ...userFields(event),
  ...extendedInfo(event),
  custom_events: JSON.stringify([appEvent(event, name)]),
  ...kit.mapFields(event, TRACKING),
  ...(kit.deviceFamily(event) === 'apple' && kit.mapFields(event, ASKED)),
  ...limitedUse(config),
});

/** Facebook places the person by the address of the device, which our server stands in front of. */
function senderOf(event: JsonObject): Record<string, string> {
  const address = kit.firstAt(event, kit.IP);
  return typeof address === 'string' && isIP(address) ? { [FORWARDED]: address } : {};
}

/** https://developers.facebook.com/docs/marketing-apis/data-processing-options */
function limitedUse(config: JsonObject): JsonObject {
  if (!kit.isOn(config, 'limitedDataUse')) return {};
  return {
    data_processing_options: '["LDU"]',
    data_processing_options_country: kit.toInteger(config['dpoCountry']) ?? 0,
    data_processing_options_state: kit.toInteger(config['dpoState']) ?? 0,
  };
}

function toSwitch(value: unknown): string {
  return kit.toBoolean(value) === true || kit.toNumber(value) === 1 ? '1' : '0';
}
