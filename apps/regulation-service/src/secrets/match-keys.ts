import { Injectable } from '@nestjs/common';
import type { RegulatedUser } from '@weir/contracts';
import { Pepper, Sealer } from '@weir/service-kit';

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

/** The regulation that encrypted attributes belong to. They do not decrypt for any other. */
export interface Owner {
  workspaceId: string;
  id: string;
}

/** Encrypts the identifiers of regulated users with a key derived from the pepper. */
@Injectable()
export class Attributes {
  private readonly sealer: Sealer;

  constructor(keys: MatchKeys) {
    this.sealer = new Sealer(keys.derivedKey('attributes'));
  }

  seal(attributes: RegulatedUser, owner: Owner): string {
    return this.sealer.seal(attributes, aad(owner));
  }

  open(sealed: string, owner: Owner): RegulatedUser {
    return this.sealer.open(sealed, aad(owner)) as RegulatedUser;
  }

  /** Undefined for identifiers that are damaged or were sealed with a lost pepper. They may keep nothing else from being read. */
  openIfPossible(sealed: string, owner: Owner): RegulatedUser | undefined {
    try {
      return this.open(sealed, owner);
    } catch {
      return undefined;
    }
  }

  /** The beginning of every text that the first pepper sealed. */
  get mark(): string {
    return this.sealer.mark;
  }
}

const aad = ({ workspaceId, id }: Owner) => `regulation/${workspaceId}/${id}`;

export const PROGRESS_AAD = 'regulation/progress';
export const DEAD_LETTER_AAD = 'regulation/dead-letter';
/** Fits a position in a bucket and some counts. An object key has at most 1,024 bytes. */
const LENGTH_MAX = 4_096;

/** Encrypts the progress of deletions, because object names may contain names of people. */
@Injectable()
export class ProgressSeal {
  private readonly sealer: Sealer;

  constructor(keys: MatchKeys) {
    this.sealer = new Sealer(keys.derivedKey('progress'));
  }

  seal(progress: string): string {
    if (progress.length > LENGTH_MAX) throw new RangeError(`progress is kept up to ${LENGTH_MAX} characters`);
    return this.sealer.seal({ progress }, PROGRESS_AAD);
  }

  open(sealed: string): string {
    return String(this.sealer.open(sealed, PROGRESS_AAD)['progress']);
  }
}
