import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';

const KEY_BYTES = 32;

/** What a derived key is for; a key of one purpose is useless for another. */
type Purpose = 'attributes' | 'cursor' | 'dead-letters' | 'idempotency' | 'progress';

/**
 * The service's one secret. It makes match keys, by which a user is recognised again without being readable, and every
 * other key of this service by HKDF.
 */
@Injectable()
export class Pepper {
  /** Bytes would be made into a key for each event: five times the work. */
  private readonly key: KeyObject;

  /** `pepperBase64`: 32 bytes in base64. */
  constructor(pepperBase64: string) {
    this.key = createSecretKey(pepperBase64, 'base64');
  }

  /**
   * HMAC-SHA-256 over workspace and trimmed user id. Each field comes with its length, so that no text of one can pass
   * for the end of the other.
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
