import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { KEPT_BYTES_MAX, keepLogs } from './kept-logs.js';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weir-kept-logs-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('the ends of the logs of a removed stack are kept, in a folder of its name', () => {
  const dataDir = join(folder, 'weir-test-stack-1');
  mkdirSync(join(dataDir, 'logs'), { recursive: true });
  writeFileSync(join(dataDir, 'logs/short.log'), 'all of it\n');
  writeFileSync(join(dataDir, 'logs/long.log'), `${'x'.repeat(KEPT_BYTES_MAX)}the end\n`);
  writeFileSync(join(dataDir, 'secrets.json'), '{}');

  keepLogs(dataDir, join(folder, 'kept'));

  const kept = join(folder, 'kept/weir-test-stack-1');
  expect(readdirSync(kept).sort()).toEqual(['long.log', 'short.log']);
  expect(readFileSync(join(kept, 'short.log'), 'utf8')).toBe('all of it\n');
  const long = readFileSync(join(kept, 'long.log'), 'utf8');
  expect([long.length, long.slice(-9)]).toEqual([KEPT_BYTES_MAX, 'xthe end\n']);
});
