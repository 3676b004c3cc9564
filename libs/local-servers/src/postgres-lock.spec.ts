import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { removeStaleLock } from './postgres-lock.js';

describe('removeStaleLock', () => {
  let cluster: string;
  beforeAll(() => {
    cluster = mkdtempSync(join(tmpdir(), 'weir-cluster-'));
  });
  afterAll(() => rmSync(cluster, { recursive: true }));
  const lock = () => join(cluster, 'postmaster.pid');

  it.each([
    ['of a process that is gone', 2 ** 22 - 1],
    ['with the pid of a stranger', process.pid],
  ])('removes a lock %s', (_case, pid) => {
    writeFileSync(lock(), `${pid}\n${cluster}\n`);
    removeStaleLock(cluster);
    expect(existsSync(lock())).toBe(false);
  });

  it('is content without a lock', () => {
    expect(() => removeStaleLock(cluster)).not.toThrow();
  });
});
