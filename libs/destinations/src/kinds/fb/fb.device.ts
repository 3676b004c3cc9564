import type { JsonObject } from '@weir/contracts';
import { GENDERS, hashedPlace } from '../../facebook/user-data.js';
import * as kit from '../../toolkit/index.js';

const FAMILIES = { apple: 'i2', android: 'a2' };

const text = (event: JsonObject, path: string) => kit.textAt(event, path) ?? '';
const whole = (event: JsonObject, path: string) => kit.toInteger(kit.valueAt(event, path)) ?? 0;

/**
 * The device, as sixteen values in order. Facebook takes them only with the family of the system, so nothing is sent of others.
 * https://developers.facebook.com/docs/graph-api/reference/application/activities/, extinfo
 */
export function extendedInfo(event: JsonObject): JsonObject {
  const family = kit.deviceFamily(event);
  if (!family) return {};
  const density = kit.toNumber(kit.valueAt(event, 'context.screen.density'));
  const ofSystem = ['context.app.namespace', 'context.app.build', 'context.app.version', 'context.os.version'];
  const extinfo = [
    FAMILIES[family],
    ...[...ofSystem, 'context.device.model', 'context.locale'].map((path) => text(event, path)),
    // The abbreviation of the time zone, which no sender tells. The last value names the zone.
    '',
    text(event, 'context.network.carrier'),
    ...['context.screen.width', 'context.screen.height'].map((path) => whole(event, path)),
    density?.toFixed(2) ?? 0,
    // Cores of the processor, and storage in all and free, which no sender tells.
    ...[0, 0, 0],
    text(event, 'context.timezone'),
  ];
  return { extinfo: JSON.stringify(extinfo) };
}

const hashedDate: kit.Conversion = (value) => kit.hashedWord(kit.toDate(value)?.replaceAll('-', ''));

/** https://developers.facebook.com/docs/marketing-api/app-event-api: user data, hashed as in advanced matching. */
const USER: kit.Mapping = {
  'ud[em]': { from: kit.EMAIL, as: kit.hashedWord },
  'ud[fn]': { from: kit.FIRST_NAME, as: kit.hashedWord },
  'ud[ln]': { from: kit.LAST_NAME, as: kit.hashedWord },
  'ud[ph]': { from: kit.PHONE, as: kit.hashedPhone },
  'ud[ge]': { from: kit.GENDER, as: [kit.trimmed, kit.oneOf(GENDERS), kit.hashed] },
  'ud[db]': { from: kit.BIRTHDAY, as: hashedDate },
  'ud[ct]': { from: kit.trait('address.city', 'city'), as: hashedPlace },
  'ud[st]': { from: kit.trait('address.state', 'state'), as: hashedPlace },
  'ud[zp]': { from: kit.ZIP, as: hashedPlace },
  'ud[country]': { from: kit.trait('address.country', 'country'), as: hashedPlace },
};

/** Personal fields, only as hashes. */
export const userFields = (event: JsonObject): JsonObject => kit.mapFields(event, USER);
