import { createHash, createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { AppError, DELIVERY_TIMEOUT_MS, isJsonObject } from '@weir/contracts';
import { LRUCache } from 'lru-cache';
import type { Outbound } from '../../kind.js';
import { parsedJson } from '../../toolkit/convert.js';

const TOKEN_ADDRESS = 'https://oauth2.googleapis.com/token';
const LIFETIME_S = 3_600;
/** Stops using a token shortly before it expires. */
const MARGIN_MS = 300_000;
const TOKENS_MAX = 100;
const RESPONSE_BYTES_MAX = 65_536;

/** Tokens of this process, by the hash of key and scope. */
const tokens = new LRUCache<string, { token: string; endsAt: number }>({ max: TOKENS_MAX });

type TokenAnswer = { token: string } | { refusedWith: number };

/**
 * Exchanges a signed assertion for an access token of a Google service account
 * (https://developers.google.com/identity/protocols/oauth2/service-account). `keyJson` is the account's key file. Always uses
 * Google's own address, because a key file may name any other. Throws `AppError('invalid')` for an invalid key file.
 */
export async function accessToken(
  outbound: Outbound,
  { keyJson, scope }: { keyJson: string; scope: string },
  nowMs = Date.now(),
): Promise<TokenAnswer> {
  const name = createHash('sha256').update(`${scope}\n${keyJson}`).digest('base64');
  const known = tokens.get(name);
  if (known && known.endsAt > nowMs) return { token: known.token };
  const answer = await outbound.request({
    method: 'POST',
    url: TOKEN_ADDRESS,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: assertion(serviceAccount(keyJson), scope, nowMs),
    }).toString(),
    timeoutMs: DELIVERY_TIMEOUT_MS,
    maxResponseBytes: RESPONSE_BYTES_MAX,
  });
  const body = parsedJson(answer.body.toString('utf8'));
  const token = isJsonObject(body) ? body['access_token'] : undefined;
  if (answer.status !== 200 || typeof token !== 'string') return { refusedWith: answer.status };
  tokens.set(name, { token, endsAt: nowMs + LIFETIME_S * 1_000 - MARGIN_MS });
  return { token };
}

interface ServiceAccount {
  email: string;
  key: KeyObject;
}

function serviceAccount(keyJson: string): ServiceAccount {
  const file = parsedJson(keyJson);
  const { client_email: email, private_key: pem } = isJsonObject(file) ? file : {};
  if (typeof email !== 'string' || typeof pem !== 'string') {
    throw new AppError('invalid', 'serviceAccountKey must be the JSON key file of a service account');
  }
  try {
    return { email, key: createPrivateKey(pem) };
  } catch {
    throw new AppError('invalid', 'serviceAccountKey holds no private key that can be read');
  }
}

function assertion({ email, key }: ServiceAccount, scope: string, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1_000);
  const claims = { iss: email, scope, aud: TOKEN_ADDRESS, iat: issuedAt, exp: issuedAt + LIFETIME_S };
  const signed = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => encoded(JSON.stringify(part))).join('.');
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

const encoded = (text: string) => Buffer.from(text).toString('base64url');
