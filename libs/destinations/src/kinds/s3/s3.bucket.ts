import { pipeline, Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  PutObjectCommand,
  paginateListObjectsV2,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import type { Outbound } from '../../kind.js';
import { type S3Settings, s3Client } from './s3.client.js';
import { linesOf } from './user-lines.js';

/** Uploads hold parts of this size in memory. */
const PART_BYTES = 8_388_608;

/** Properties of an object besides its content. They stay when it is rewritten. */
type Kept = Pick<
  GetObjectCommandOutput,
  'CacheControl' | 'ContentDisposition' | 'ContentEncoding' | 'ContentLanguage' | 'ContentType' | 'Metadata'
>;

/** The version of an object that was read. */
interface OpenObject {
  etag: string;
  lines: AsyncGenerator<Buffer>;
  kept: Kept;
}

/** Gzipped lines in a bucket of any S3-compatible store, reached only through the outbound client. */
export class S3Bucket {
  private readonly client: S3Client;

  constructor(
    private readonly settings: S3Settings,
    outbound: Outbound,
  ) {
    this.client = s3Client(settings, outbound);
  }

  /** Lists keys after `after`, or all if it is empty. `below` narrows the listing to a part of the prefix. */
  async *keys(after: string, below = ''): AsyncGenerator<string> {
    const { bucket, prefix } = this.settings;
    const listed = { Bucket: bucket, Prefix: prefix + below, ...(after !== '' && { StartAfter: after }) };
    for await (const page of paginateListObjectsV2({ client: this.client }, listed)) {
      for (const { Key } of page.Contents ?? []) if (Key !== undefined) yield Key;
    }
  }

  /** Lists the folders below a folder, without their objects. Each name begins with `below` and ends in `/`. */
  async *folders(below = ''): AsyncGenerator<string> {
    const { bucket, prefix } = this.settings;
    const listed = { Bucket: bucket, Prefix: prefix + below, Delimiter: '/' };
    for await (const page of paginateListObjectsV2({ client: this.client }, listed)) {
      for (const { Prefix } of page.CommonPrefixes ?? []) if (Prefix !== undefined) yield Prefix.slice(prefix.length);
    }
  }

  /** Stores gzipped lines below the prefix, in place of what has this name. */
  async put(name: string, body: Buffer, signal: AbortSignal): Promise<void> {
    const { bucket, prefix, encrypt } = this.settings;
    const encryption = encrypt ? ({ ServerSideEncryption: 'AES256' } as const) : {};
    const object = { Bucket: bucket, Key: prefix + name, Body: body, ContentType: 'application/gzip', ...encryption };
    await this.client.send(new PutObjectCommand(object), { abortSignal: signal });
  }

  async remove(key: string): Promise<void> {
    await this.client.send(new DeleteObjectCommand({ Bucket: this.settings.bucket, Key: key }));
  }

  /** Undefined if the object no longer exists. */
  async open(key: string): Promise<OpenObject | undefined> {
    try {
      const { Body, ETag, ...rest } = await this.client.send(
        new GetObjectCommand({ Bucket: this.settings.bucket, Key: key }),
      );
      if (!(Body instanceof Readable) || ETag === undefined) throw new TypeError('an object without body or ETag');
      const { CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ContentType, Metadata } = rest;
      const kept = { CacheControl, ContentDisposition, ContentEncoding, ContentLanguage, ContentType, Metadata };
      return { etag: ETag, lines: linesOf(gunzipped(Body)), kept };
    } catch (error) {
      if (error instanceof S3ServiceException && error.name === 'NoSuchKey') return undefined;
      throw error;
    }
  }

  /** Replaces the lines of the version that was read. Throws 412 if it is no longer the current one. */
  async replace(key: string, { etag, kept }: OpenObject, lines: AsyncIterable<Buffer>): Promise<void> {
    const gzip = createGzip();
    // An error of the source reaches the upload through the stream.
    pipeline(lines, gzip, () => undefined);
    const { bucket, encrypt } = this.settings;
    const encryption = encrypt ? ({ ServerSideEncryption: 'AES256' } as const) : {};
    const params = { Bucket: bucket, Key: key, Body: gzip, IfMatch: etag, ...kept, ...encryption };
    try {
      await new Upload({ client: this.client, params, partSize: PART_BYTES, queueSize: 1 }).done();
    } finally {
      gzip.destroy();
    }
  }

  close(): void {
    this.client.destroy();
  }
}

async function* gunzipped(body: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip();
  pipeline(body, gunzip, () => undefined);
  try {
    yield* gunzip;
  } finally {
    body.destroy();
    gunzip.destroy();
  }
}
