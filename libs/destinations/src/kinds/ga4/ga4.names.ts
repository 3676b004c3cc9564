import * as kit from '../../toolkit/index.js';

/** https://developers.google.com/analytics/devguides/collection/protocol/ga4/reference#reserved_names */
const RESERVED_EVENTS = new Set([
  ...['ad_activeview', 'ad_click', 'ad_exposure', 'ad_impression', 'ad_query', 'adunit_exposure', 'app_clear_data'],
  ...['app_install', 'app_remove', 'app_store_refund', 'app_store_subscription_cancel', 'app_update', 'error'],
  ...['app_store_subscription_convert', 'app_store_subscription_renew', 'first_open', 'first_visit', 'in_app_purchase'],
  ...['notification_dismiss', 'notification_foreground', 'notification_open', 'notification_receive', 'os_update'],
  ...['screen_view', 'session_start', 'user_engagement'],
]);
const RESERVED_EVENT_PREFIX = /^(?:_|firebase_|ga_|google_|gtag\.)/i;
const RESERVED_PREFIX = /^(?:google_|ga_|firebase_)/i;
const RESERVED_USER_PROPERTIES = new Set([
  ...['first_open_time', 'first_visit_time', 'last_deep_link_referrer', 'user_id', 'first_open_after_install'],
]);
const NAME = /^[A-Za-z]\w*$/;
const USER_NAME_MAX = 24;
const USER_VALUE_MAX = 36;

/** Refuses the name of a custom event that Google would not take. */
export function checkEventName(name: string): void {
  if (RESERVED_EVENTS.has(name.toLowerCase()) || RESERVED_EVENT_PREFIX.test(name)) {
    kit.refuse(`Event name ${name} is reserved by Google`);
  }
  if (!NAME.test(name)) kit.refuse('Event name must start with a letter and hold letters, digits and _ only');
}

export const isReservedParam = (name: string): boolean => RESERVED_PREFIX.test(name);

/** Whether Google stores such a user property. Limits: https://support.google.com/analytics/answer/9267744 */
export function isUserProperty(name: string, value: unknown): boolean {
  if (name.length > USER_NAME_MAX || !NAME.test(name)) return false;
  if (RESERVED_PREFIX.test(name) || RESERVED_USER_PROPERTIES.has(name)) return false;
  if (typeof value === 'boolean') return true;
  if (typeof value === 'number') return String(value).length <= USER_VALUE_MAX;
  return typeof value === 'string' && value.trim() !== '' && value.trim().length <= USER_VALUE_MAX;
}
