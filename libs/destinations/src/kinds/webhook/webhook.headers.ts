import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import {
  AppError,
  hasWebhookSecretBytes,
  isJsonObject,
  type JsonObject,
  WEBHOOK_SECRET_FORM,
  type WebhookMessage,
  webhookHeaders,
  webhookSignature,
} from '@weir/contracts';
import * as kit from '../../toolkit/index.js';

/** The stored headers `[{from, to}]` by lower-case name. Later ones win, and headers without a name are dropped. */
export function configuredHeaders(config: JsonObject): Record<string, string> {
  const headers = Array.isArray(config['headers']) ? config['headers'].filter(isJsonObject) : [];
  return kit.objectOf(
    headers
      .map(({ from, to }) => [kit.onlyText(from)?.trim().toLowerCase() ?? '', to] as const)
      .filter(([name, value]) => name !== '' && value !== undefined && value !== null)
      .map(([name, value]) => [name, asText(value)]),
  );
}

/** A value of a header. Anything but a text becomes JSON. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** During a key change, an old and a new key sign together. */
const KEYS_MAX = 4;
const SEED_BYTES = 32;
/** These bytes in front turn a seed into a PKCS #8 key (RFC 8410). */
const ED25519_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * Headers that prove to a receiver that Weir sent a message. Empty without a `signingKey`. Throws `AppError('invalid')` without
 * repeating the key. Forms of the key, several separated by spaces:
 * - `whsec_` and a secret in Base64 for HMAC-SHA256 (`v1`)
 * - `whsk_` and the seed of an Ed25519 key (`v1a`)
 */
export function signatureHeaders({ signingKey }: JsonObject, message: WebhookMessage): Record<string, string> {
  const keys = typeof signingKey === 'string' ? signingKey.split(/\s+/).filter((key) => key !== '') : [];
  if (keys.length === 0) return {};
  if (keys.length > KEYS_MAX) throw new AppError('invalid', `signingKey may hold at most ${KEYS_MAX} keys`);
  return webhookHeaders(message, (signed) => keys.map((key) => signatureOf(key, signed)).join(' '));
}

function signatureOf(key: string, signed: string): string {
  if (WEBHOOK_SECRET_FORM.test(key) && hasWebhookSecretBytes(key)) return webhookSignature(key, signed);
  const [, encoded = ''] = /^whsk_([A-Za-z\d+/]+={0,2})$/.exec(key) ?? [];
  const bytes = Buffer.from(encoded, 'base64');
  // Some tools append the public key to the seed.
  if (bytes.length === SEED_BYTES || bytes.length === 2 * SEED_BYTES) {
    return `v1a,${sign(null, Buffer.from(signed), ed25519Key(bytes.subarray(0, SEED_BYTES))).toString('base64')}`;
  }
  throw new AppError(
    'invalid',
    'signingKey must be whsec_ with 24 to 64 bytes in Base64, or whsk_ with an Ed25519 seed',
  );
}

const ed25519Key = (seed: Buffer): KeyObject =>
  createPrivateKey({ key: Buffer.concat([ED25519_PREFIX, seed]), format: 'der', type: 'pkcs8' });
