import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { PutObjectCommand, type S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import { DELIVERY_TIMEOUT_MS } from '@weir/contracts';
import type { DeliveryOptions, DeliveryResult, DeliverySession, Outbound, SessionItem } from '../../kind.js';
import { allOf, DELIVERED, later } from '../../session/stream.js';
import { AnswerTooLong } from './bounded-answers.js';
import { type S3Settings, s3Client } from './s3.client.js';

const compressed = promisify(gzip);
const HASH_LENGTH = 16;

/** Writes one object per call, with gzipped lines of one event each. */
export class S3Session implements DeliverySession {
  private readonly client: S3Client;

  constructor(
    private readonly settings: S3Settings,
    outbound: Outbound,
  ) {
    this.client = s3Client(settings, outbound);
  }

  async deliver(
    items: readonly SessionItem[],
    { deadline = performance.now() + DELIVERY_TIMEOUT_MS }: DeliveryOptions = {},
  ): Promise<DeliveryResult[]> {
    const { bucket, prefix, encrypt } = this.settings;
    const lines = items.map(({ payload }) => `${JSON.stringify(payload.body.JSON)}\n`).join('');
    const object = {
      Bucket: bucket,
      Key: `${prefix}${objectName(items, Date.now())}`,
      Body: await compressed(lines),
      ContentType: 'application/gzip',
      ...(encrypt && { ServerSideEncryption: 'AES256' as const }),
    };
    try {
      const abortSignal = AbortSignal.timeout(Math.max(0, Math.floor(deadline - performance.now())));
      await this.client.send(new PutObjectCommand(object), { abortSignal });
      return allOf(items, DELIVERED);
    } catch (error) {
      // Users can fix credentials, buckets and permissions. None of these errors concerns an event.
      if (error instanceof S3ServiceException) return allOf(items, later(textOf(error)));
      if (error instanceof AnswerTooLong) return allOf(items, later(error.reason));
      throw error;
    }
  }

  async close(): Promise<void> {
    this.client.destroy();
  }
}

/**
 * `2026-01-31/23/20260131T235959000Z-<hash>.json.gz`, sorted by time. The same events get the same name when they are sent again.
 * So they replace an object left by an attempt without a response.
 */
function objectName(items: readonly SessionItem[], nowMs: number): string {
  const [first] = items;
  const received = Date.parse(String(first?.payload.body.JSON['receivedAt']));
  const time = new Date(Number.isNaN(received) ? nowMs : received).toISOString();
  const ids = JSON.stringify(items.map(({ idempotencyKey }) => idempotencyKey));
  const hash = createHash('sha256').update(ids).digest('hex').slice(0, HASH_LENGTH);
  return `${time.slice(0, 10)}/${time.slice(11, 13)}/${time.replaceAll(/[-:.]/g, '')}-${hash}.json.gz`;
}

function textOf({ name, $metadata }: S3ServiceException): string {
  const code = /^\w{1,64}$/.test(name) ? ` (${name})` : '';
  return `The object store answered ${$metadata.httpStatusCode ?? 0}${code}`;
}
