import type { JsonObject } from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** Apple's answer of the person to tracking, if it is yes. */
const AUTHORIZED = 3;

const IDS: Readonly<Record<'apple' | 'android', kit.Mapping>> = {
  apple: {
    idfa: { from: 'context.device.advertisingId', as: kit.onlyText },
    idfv: { from: 'context.device.id', as: kit.onlyText },
  },
  android: {
    aaid: { from: 'context.device.advertisingId', as: kit.onlyText },
    android_id: { from: 'context.device.id', as: kit.onlyText },
  },
};
const DEVICE: kit.Mapping = {
  app_version: { from: 'context.app.version', as: [kit.onlyId, kit.toText] },
  screen_dpi: { from: 'context.screen.density', as: kit.toNumber },
  screen_width: { from: 'context.screen.width', as: kit.toNumber },
  screen_height: { from: 'context.screen.height', as: kit.toNumber },
  developer_identity: { from: kit.USER_ID, as: [kit.onlyId, kit.toText] },
  model: { from: 'context.device.model', as: kit.onlyText },
  user_agent: { from: 'context.userAgent', as: kit.onlyText },
};

/** https://help.branch.io/apidocs/logstandardevents, user_data. An empty version of the system is sent, as by others. */
export function branchUser(event: JsonObject): JsonObject {
  const family = kit.deviceFamily(event);
  return {
    ...kit.compact({
      os: kit.onlyText(kit.valueAt(event, 'context.os.name')),
      os_version: kit.onlyText(kit.valueAt(event, 'context.os.version')),
    }),
    ...kit.mapFields(event, DEVICE),
    ...(family && kit.mapFields(event, IDS[family])),
    ...kit.compact({ limit_ad_tracking: isLimited(event) }),
  };
}

/** The answer of the person wins, because devices may have tracking enabled all the same. */
function isLimited(event: JsonObject): boolean | undefined {
  const answer = kit.toNumber(kit.valueAt(event, 'context.device.attTrackingStatus'));
  if (answer !== undefined) return answer !== AUTHORIZED;
  const isEnabled = kit.toBoolean(kit.valueAt(event, 'context.device.adTrackingEnabled'));
  return isEnabled === undefined ? undefined : !isEnabled;
}
