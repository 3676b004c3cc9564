import { Injectable } from '@nestjs/common';
import { Sealer } from '@weir/service-kit';
import { Pepper } from '../secrets/pepper.js';

const AAD = 'regulation/progress';
/** Fits a position in a bucket and some counts. An object key has at most 1,024 bytes. */
const LENGTH_MAX = 4_096;

/** Encrypts the progress of deletions, because object names may contain names of people. */
@Injectable()
export class ProgressSeal {
  private readonly sealer: Sealer;

  constructor(pepper: Pepper) {
    this.sealer = new Sealer(pepper.derivedKey('progress'));
  }

  seal(progress: string): string {
    if (progress.length > LENGTH_MAX) throw new RangeError(`progress is kept up to ${LENGTH_MAX} characters`);
    return this.sealer.seal({ progress }, AAD);
  }

  open(sealed: string): string {
    return String(this.sealer.open(sealed, AAD)['progress']);
  }
}
