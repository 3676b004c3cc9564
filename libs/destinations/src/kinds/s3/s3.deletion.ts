import { S3ServiceException } from '@aws-sdk/client-s3';
import type { DeletionOutcome, DeletionRequest, Outbound } from '../../kind.js';
import { AnswerTooLong } from './bounded-answers.js';
import { S3Bucket } from './s3.bucket.js';
import { s3Settings } from './s3.client.js';
import { isUnreadable, removeLines } from './s3.rewrite.js';
import { ScanProgress, type Visit } from './scan-progress.js';
import { isOfUsers } from './user-lines.js';

/** Users per scan. A scan costs the same for one as for a thousand. */
export const S3_USERS_MAX = 1_000;
/** Objects scanned at a time. */
const SCANNERS = 4;

/**
 * Removes the users' lines from every `*.json.gz` below the prefix. Objects without such lines are never written. The others are
 * written only over the version that was read. An interrupted attempt leaves nothing in the bucket and continues where it
 * stopped. So does one whose turn ends, unless the store lists in another order and would be scanned from the start again.
 */
export async function s3Delete(
  { config, users, progress, turn }: DeletionRequest,
  outbound: Outbound,
): Promise<DeletionOutcome | undefined> {
  const settings = s3Settings(config);
  const bucket = new S3Bucket(settings, outbound);
  const userIds = new Set(users.map(({ userId }) => String(userId).trim()));
  const scan = new ScanProgress(progress, settings);
  const keys = bucket.keys(scan.startAfter);
  const givesWay = () => turn?.aborted === true && scan.isOrdered;
  const scanObjects = async () => {
    for await (const key of keys) {
      scan.begin(key);
      await scan.end(key, await visit(bucket, key, userIds));
      if (givesWay()) return;
    }
  };
  try {
    await Promise.all(Array.from({ length: SCANNERS }, scanObjects));
    if (!givesWay()) return outcomeOf(scan.counts);
    await scan.note();
    return undefined;
  } catch (error) {
    await scan.note();
    if (error instanceof AnswerTooLong) return { status: 'failed', reason: error.reason };
    if (!(error instanceof S3ServiceException)) throw error;
    return { status: 'failed', reason: reasonOf(error) };
  } finally {
    bucket.close();
  }
}

async function visit(bucket: S3Bucket, key: string, userIds: ReadonlySet<string>): Promise<Visit> {
  if (!key.endsWith('.json.gz')) return 'skipped';
  try {
    await removeLines(bucket, key, (line) => isOfUsers(line, userIds));
    return 'read';
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    return 'unreadable';
  }
}

function outcomeOf({ read, skipped, unreadable }: Record<Visit, number>): DeletionOutcome {
  if (unreadable > 0) {
    return {
      status: 'aborted',
      reason: `${unreadable} of ${read + unreadable} objects cannot be read as gzipped lines; the others are clean`,
    };
  }
  if (skipped === 0) return { status: 'complete' };
  return { status: 'complete', reason: `${skipped} objects whose names do not end in .json.gz were left as they are` };
}

function reasonOf({ name, $metadata }: S3ServiceException): string {
  const status = $metadata.httpStatusCode ?? 0;
  const code = /^\w{1,64}$/.test(name) ? ` (${name})` : '';
  const isRefused = status === 401 || status === 403;
  return isRefused ? `the credentials were refused${code}` : `the object store answered ${status}${code}`;
}
