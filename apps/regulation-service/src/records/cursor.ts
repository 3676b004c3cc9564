import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '@weir/contracts';

/** 16 bytes of the HMAC: nobody guesses them, and the cursor stays short. */
const SIGNATURE_BYTES = 16;
const POSITION_BYTES = 8;

/**
 * Makes and reads the opaque cursors of one list. A cursor holds good in the workspace and
 * with the filter that it was made for only.
 */
export class Cursors {
  private readonly key: Buffer;

  constructor(keyBase64: string) {
    this.key = Buffer.from(keyBase64, 'base64');
  }

  /** `position`: the last row of the page before. `filter`: any text that is the same for the same filter. */
  make(workspaceId: string, position: bigint, filter = ''): string {
    const bytes = Buffer.alloc(POSITION_BYTES);
    bytes.writeBigInt64BE(position);
    return Buffer.concat([bytes, this.sign(workspaceId, bytes, filter)]).toString('base64url');
  }

  /** Throws `invalid` for what this service did not make for this workspace and filter. */
  read(workspaceId: string, cursor: string, filter = ''): bigint {
    const bytes = Buffer.from(cursor, 'base64url');
    const position = bytes.subarray(0, POSITION_BYTES);
    const isWhole = bytes.length === POSITION_BYTES + SIGNATURE_BYTES && bytes.toString('base64url') === cursor;
    if (!isWhole || !timingSafeEqual(bytes.subarray(POSITION_BYTES), this.sign(workspaceId, position, filter))) {
      throw invalidField(
        'after_cursor',
        'is not a cursor of this list: take it from paging.next, with the filters there',
      );
    }
    return position.readBigInt64BE();
  }

  /** Position and workspace have a fixed length, so no text of one can pass for the end of the other. */
  private sign(workspaceId: string, position: Buffer, filter: string): Buffer {
    const hmac = createHmac('sha256', this.key).update(position).update(workspaceId).update(filter);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}
