import { MESSAGE_TYPES } from '@weir/contracts';

/** Paths that take one event and write its type into it. */
export const SINGLE_CALLS = [...MESSAGE_TYPES, 'merge', 'audiencelist'] as const;
/** Paths that take many; `import` is for histories, and has the same form (wire-facts 6.6). */
export const BATCH_CALLS = ['batch', 'import'] as const;
/** Paths that take one event from the query of an image. */
export const PIXEL_CALLS = ['track', 'page'] as const;

/** Whatever another service reports, in its own form, as events of one name. */
export const WEBHOOK_CALL = 'webhook';

export type SingleCall = (typeof SINGLE_CALLS)[number];
export type BatchCall = (typeof BATCH_CALLS)[number];
export type PixelCall = (typeof PIXEL_CALLS)[number];
export type WebhookCall = typeof WEBHOOK_CALL;
export type IntakeCall = SingleCall | BatchCall | WebhookCall;

export const isBatchCall = (call: IntakeCall): call is BatchCall => call === 'batch' || call === 'import';
export const isWebhookCall = (call: IntakeCall): call is WebhookCall => call === WEBHOOK_CALL;
