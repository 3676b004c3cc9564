import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalidField } from '@weir/contracts';

/** 16 bytes of the HMAC cannot be guessed and keep the cursor short. */
const SIGNATURE_BYTES = 16;
const POSITION_BYTES = 8;

/** Creates and reads the opaque cursors of one list. A cursor is valid only for the workspace and filter that it was made for. */
export class Cursors {
  private readonly key: Buffer;

  constructor(keyBase64: string) {
    this.key = Buffer.from(keyBase64, 'base64');
  }

  /**
   * @param position The last row of the previous page
   * @param filter Any text that is the same for the same filter
   */
  make(workspaceId: string, position: bigint, filter = ''): string {
    const bytes = Buffer.alloc(POSITION_BYTES);
    bytes.writeBigInt64BE(position);
    return Buffer.concat([bytes, this.sign(workspaceId, bytes, filter)]).toString('base64url');
  }

  /** Throws `invalid` for a cursor that this service did not make for this workspace and filter. */
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

  /** Position and workspace have a fixed length, so no field can pass for the end of another. */
  private sign(workspaceId: string, position: Buffer, filter: string): Buffer {
    const hmac = createHmac('sha256', this.key).update(position).update(workspaceId).update(filter);
    return hmac.digest().subarray(0, SIGNATURE_BYTES);
  }
}
