import { S3ServiceException } from '@aws-sdk/client-s3';
import type { S3Bucket } from './s3.bucket.js';
import { LineTooLong } from './user-lines.js';

/** How often to retry an object that another process writes at the same time. */
const TRIES_MAX = 5;

/** Whether a line has to go. */
export type IsGone = (line: Buffer) => boolean;

/**
 * Removes lines from an object. Reads first and writes only if a line must go. If another process writes meanwhile, its version
 * wins and is read again.
 */
export async function removeLines(bucket: S3Bucket, key: string, isGone: IsGone): Promise<void> {
  for (let tries = 1; await hasLines(bucket, key, isGone); tries += 1) {
    const object = await bucket.open(key);
    if (!object) return;
    try {
      return await bucket.replace(key, object, others(object.lines, isGone));
    } catch (error) {
      if (!isConflict(error) || tries === TRIES_MAX) throw error;
    }
  }
}

async function hasLines(bucket: S3Bucket, key: string, isGone: IsGone): Promise<boolean> {
  for await (const line of (await bucket.open(key))?.lines ?? []) if (isGone(line)) return true;
  return false;
}

async function* others(lines: AsyncIterable<Buffer>, isGone: IsGone): AsyncGenerator<Buffer> {
  for await (const line of lines) if (!isGone(line)) yield line;
}

/** 409 means that another conditional write is in progress. */
const isConflict = (error: unknown) =>
  error instanceof S3ServiceException && [404, 409, 412].includes(error.$metadata.httpStatusCode ?? 0);

/** Data that zlib refuses, or a line that is too long. */
export const isUnreadable = (error: unknown) => error instanceof LineTooLong || codeOf(error).startsWith('Z_');

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
