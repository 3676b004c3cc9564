import { MESSAGE_TYPES } from '@weir/contracts';

/** Paths that take one event. The path sets the event's type. */
export const SINGLE_CALLS = [...MESSAGE_TYPES, 'merge', 'audiencelist'] as const;
/** Paths that take a list of events. `import` is for historical data and has the same form (wire-facts 6.6). */
export const BATCH_CALLS = ['batch', 'import'] as const;
/** Paths that read one event from the query of an image request. */
export const PIXEL_CALLS = ['track', 'page'] as const;

/** Takes reports of any form from other services. Every report becomes an event with one fixed name. */
export const WEBHOOK_CALL = 'webhook';

export type SingleCall = (typeof SINGLE_CALLS)[number];
export type BatchCall = (typeof BATCH_CALLS)[number];
export type PixelCall = (typeof PIXEL_CALLS)[number];
export type WebhookCall = typeof WEBHOOK_CALL;
export type IntakeCall = SingleCall | BatchCall | WebhookCall;

export const isBatchCall = (call: IntakeCall): call is BatchCall => call === 'batch' || call === 'import';
export const isWebhookCall = (call: IntakeCall): call is WebhookCall => call === WEBHOOK_CALL;
