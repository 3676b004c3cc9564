import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { S3Bucket } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { CONFIG } from '@weir/service-kit';
import type { ArchiverConfig } from '../config.js';
import { type SegmentName, segmentOf } from './segment-name.js';

/** The bucket of the archive. */
@Injectable()
export class ArchiveStore implements OnModuleDestroy {
  readonly bucket: S3Bucket;
  private readonly egress: Egress;
  private readonly prefix: string;

  constructor(@Inject(CONFIG) { archive, egress }: ArchiverConfig) {
    this.egress = new Egress(egress);
    this.prefix = archive.store.prefix;
    this.bucket = new S3Bucket(archive.store, this.egress);
  }

  /** The key of an object in the bucket. */
  keyOf(name: string): string {
    return this.prefix + name;
  }

  /** Lists the segments below a folder, in the order of their names. */
  async *segments(below: string, after = ''): AsyncGenerator<{ name: string; segment: SegmentName }> {
    for await (const key of this.bucket.keys(after && this.keyOf(after), below)) {
      const name = key.slice(this.prefix.length);
      const segment = segmentOf(name);
      if (segment) yield { name, segment };
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.bucket.close();
    await this.egress.close();
  }
}
