import type { JsonObject } from '@weir/contracts';
import * as kit from '../toolkit/index.js';
import { mappedIdentity } from './amplitude.user.js';

const APPLE = ['ios', 'watchos', 'ipados', 'tvos'];

/** Device data beyond the plain fields. */
export function deviceOf(event: JsonObject, config: JsonObject): JsonObject {
  const isMobile = event['channel'] === 'mobile';
  const brand = kit.isOn(config, 'mapDeviceBrand')
    ? 'context.device.brand'
    : isMobile
      ? 'context.device.manufacturer'
      : '-';
  const mapped = mappedIdentity(event);
  return kit.compact({
    ...(event['channel'] === 'web' && browserOf(event)),
    device_id:
      mapped['device_id'] ?? kit.textAt(event, isMobile ? ['context.device.id', 'anonymousId'] : 'anonymousId'),
    ...(mapped['user_id'] !== undefined && { user_id: mapped['user_id'] }),
    device_brand: kit.textAt(event, brand),
    ...(isMobile && advertisingIds(event)),
  });
}

/** The browser counts as the operating system, as in Amplitude's own libraries. */
function browserOf(event: JsonObject): JsonObject {
  const { browser, browserVersion, os } = kit.parseUserAgent(kit.valueAt(event, 'context.userAgent'));
  if (!browser) return {};
  return { os_name: browser, os_version: browserVersion, device_model: os === 'Mac OS' ? 'Mac' : os, platform: 'Web' };
}

function advertisingIds(event: JsonObject): JsonObject {
  const type = (kit.textAt(event, 'context.device.type') ?? '').toLowerCase();
  const advertisingId = kit.textAt(event, 'context.device.advertisingId');
  if (APPLE.includes(type)) return { idfa: advertisingId, idfv: kit.textAt(event, 'context.device.id') };
  return type === 'android' ? { adid: advertisingId } : {};
}

/** Milliseconds since 1970, also from a text like `prefix:1700000000000`. -1 means no session. */
export function sessionId(event: JsonObject): number {
  const session = kit.firstAt(event, ['session_id', 'context.sessionId', 'properties.session_id']);
  const text = String(session ?? '');
  const number = Number(text.slice(text.indexOf(':') + 1));
  return text === '' || !Number.isFinite(number) ? -1 : number;
}
