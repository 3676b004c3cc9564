import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
/** Bytes of a secret. A shorter one can be guessed. */
export const WEBHOOK_SECRET_BYTES = { min: 24, max: 64 };
/** The form of a secret. Its bytes are counted apart, because Base64 allows several ends. */
export const WEBHOOK_SECRET_FORM = /^whsec_[A-Za-z0-9+/]{32,88}={0,2}$/;

/** The signed parts of a message: its id, its time and a text. */
export interface WebhookMessage {
  id: string;
  /** Seconds since 1970. */
  sentAt: number;
  text: string;
}

/** A secret as people store it. */
export const webhookSecret = (bytes: Buffer): string => `${PREFIX}${bytes.toString('base64')}`;

/** Whether a secret has neither too few bytes nor too many. */
export function hasWebhookSecretBytes(secret: string): boolean {
  const { length } = keyOf(secret);
  return length >= WEBHOOK_SECRET_BYTES.min && length <= WEBHOOK_SECRET_BYTES.max;
}

/** The signature with a secret, in the version `v1`. */
export const webhookSignature = (secret: string, signed: string): string =>
  `v1,${createHmac('sha256', keyOf(secret)).update(signed).digest('base64')}`;

/**
 * Headers that prove to a receiver that Weir sent a message. They follow https://www.standardwebhooks.com, so its libraries can
 * verify them. `sign` signs a text, with several signatures separated by spaces.
 */
export function webhookHeaders({ id, sentAt, text }: WebhookMessage, sign: (signed: string) => string) {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(sentAt),
    'webhook-signature': sign(`${id}.${sentAt}.${text}`),
  };
}

const keyOf = (secret: string): Buffer =>
  Buffer.from(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret, 'base64');
