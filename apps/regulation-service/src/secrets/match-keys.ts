import { Injectable } from '@nestjs/common';
import { Pepper } from '@weir/service-kit';

/** Purpose of a derived key. Each purpose has its own key. */
type Purpose = 'attributes' | 'cursor' | 'dead-letters' | 'idempotency' | 'progress';

/** Recognises users without revealing their ids, and derives every other key of this service from the pepper. */
@Injectable()
export class MatchKeys {
  constructor(private readonly pepper: Pepper) {}

  /**
   * HMAC-SHA-256 over workspace and trimmed user id. Each field is prefixed with its length, so none can pass for the end of
   * another.
   */
  matchKey(workspaceId: string, userId: string): Buffer {
    return this.pepper.hmac(lengthPrefixed(workspaceId), lengthPrefixed(userId));
  }

  /** Under which the user may be stored: more than one key during a rotation of the pepper. */
  matchKeys(workspaceId: string, userId: string): Buffer[] {
    return this.pepper.hmacs(lengthPrefixed(workspaceId), lengthPrefixed(userId));
  }

  /** 32 bytes in base64, for each pepper, separated by commas. */
  derivedKey(purpose: Purpose): string {
    return this.pepper.derive(`weir/regulation/${purpose}`);
  }
}

function lengthPrefixed(text: string): Buffer {
  const bytes = Buffer.from(text, 'utf8');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}
