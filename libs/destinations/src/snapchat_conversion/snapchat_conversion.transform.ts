import type { JsonObject } from '@weir/contracts';
import type { BatchRule, Payload } from '../kind.js';
import * as kit from '../toolkit/index.js';
import { conversionType, snapchatEvent } from './snapchat_conversion.events.js';
import { version2Body } from './snapchat_conversion.v2.js';
import { version3Event } from './snapchat_conversion.v3.js';

/** https://developers.snap.com/api/marketing-api/Conversions-API */
const HOST = 'https://tr.snapchat.com';
const DAY_MS = 86_400_000;
/** Maximum age of an event. */
const DAYS_MAX = { v2: 28, v3: 7 };
const LIMITS = { itemsMax: 2_000, bytesMax: 2_000_000 };

const lists = kit.batchLists(['data'], LIMITS);
const bodies = kit.batchBodies('', LIMITS);

/** Version 3 has a list in its body. Version 2 takes an array of bodies. */
export const snapchatConversionBatch: BatchRule = {
  ...LIMITS,
  keyOf: (payload) => lists.keyOf(payload) ?? bodies.keyOf(payload),
  combine: (payloads) =>
    payloads[0] && lists.keyOf(payloads[0]) ? lists.combine(payloads) : kit.asJsonArray(payloads),
};

export function snapchatConversionTransform(event: JsonObject, config: JsonObject): Payload[] {
  const send = (name: string) => [request(event, config, name)];
  return kit.byType(event, { page: () => send('PAGE_VIEW'), track: () => send(snapchatEvent(event, config)) });
}

function request(event: JsonObject, config: JsonObject, name: string): Payload {
  const isNew = config['apiVersion'] === 'newApi';
  const token = kit.requiredText(config, 'apiKey');
  refuseAnonymous(event);
  refuseOld(event, isNew ? DAYS_MAX.v3 : DAYS_MAX.v2);
  const isApp = conversionType(event) === 'MOBILE_APP';
  const target = isApp
    ? { snap_app_id: kit.requiredText(config, 'snapAppId'), app_id: kit.requiredText(config, 'appId') }
    : { pixel_id: kit.requiredText(config, 'pixelId') };
  if (!isNew) {
    const body = { ...version2Body(event, config, name), ...target };
    return kit.jsonRequest(`${HOST}/v2/conversion`, body, { headers: kit.bearerAuth(token) });
  }
  const account = encodeURIComponent(target.snap_app_id ?? target.pixel_id ?? '');
  const data = [version3Event(event, config, name, target.app_id)];
  return kit.jsonRequest(`${HOST}/v3/${account}/events`, { data }, { params: { access_token: token } });
}

/** Snapchat needs at least one of these to match a person. */
function refuseAnonymous(event: JsonObject): void {
  const has = (paths: readonly string[]) => kit.firstAt(event, paths) !== undefined;
  const byAddress = has(kit.IP) && has(['context.userAgent']);
  if (has(kit.EMAIL) || has(kit.PHONE) || has(['context.device.advertisingId']) || byAddress) return;
  kit.refuse('the event needs an email, a phone, an advertising id, or an ip with a user agent');
}

function refuseOld(event: JsonObject, days: number): void {
  const age = kit.ageMs(kit.firstAt(event, kit.TIMESTAMP), Date.now());
  if (age !== undefined && age > days * DAY_MS) kit.refuse(`the event must be from the last ${days} days`);
}
