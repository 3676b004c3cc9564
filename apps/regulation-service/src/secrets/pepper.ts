import { createHmac, hkdfSync } from 'node:crypto';
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
  private readonly bytes: Buffer;

  /** `pepperBase64`: 32 bytes in base64. */
  constructor(pepperBase64: string) {
    this.bytes = Buffer.from(pepperBase64, 'base64');
  }

  /**
   * HMAC-SHA-256 over workspace and trimmed user id. Each field comes with its length, so that no text of one can pass
   * for the end of the other.
   */
  matchKey(workspaceId: string, userId: string): Buffer {
    return createHmac('sha256', this.bytes).update(lengthPrefixed(workspaceId)).update(lengthPrefixed(userId)).digest();
  }

  /** 32 bytes in base64. */
  derivedKey(purpose: Purpose): string {
    const info = `weir/regulation/${purpose}`;
    return Buffer.from(hkdfSync('sha256', this.bytes, '', info, KEY_BYTES)).toString('base64');
  }
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
