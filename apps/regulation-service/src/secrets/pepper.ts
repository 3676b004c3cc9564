import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const KEY_BYTES = 32;

/** Purpose of a derived key. Each purpose has its own key. */
type Purpose = 'attributes' | 'cursor' | 'dead-letters' | 'idempotency' | 'progress';

/**
 * The service's only secret. It makes match keys, which recognise a user without revealing the id. All other keys of this service
 * are derived from it by HKDF.
 */
@Injectable()
export class Pepper {
  /** A KeyObject, because Node would turn raw bytes into one for each event, at five times the cost. */
  private readonly key: KeyObject;

  /** @param pepperBase64 32 bytes in base64 */
  constructor(pepperBase64: string) {
    this.key = createSecretKey(pepperBase64, 'base64');
  }

  /**
   * HMAC-SHA-256 over workspace and trimmed user id. Each field is prefixed with its length, so none can pass for the end of
   * another.
   */
  matchKey(workspaceId: string, userId: string): Buffer {
    return createHmac('sha256', this.key).update(lengthPrefixed(workspaceId)).update(lengthPrefixed(userId)).digest();
  }

  /** 32 bytes in base64. */
  derivedKey(purpose: Purpose): string {
    const info = `weir/regulation/${purpose}`;
    return Buffer.from(hkdfSync('sha256', this.key, '', info, KEY_BYTES)).toString('base64');
  }
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
