import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findNatsServer } from './nats-binary.js';

describe('findNatsServer', () => {
  let folder: string;
  let said: string[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-nats-binary-'));
    said = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** A program that only says its version. */
  function server(place: string, version: string): string {
    mkdirSync(join(folder, place), { recursive: true });
    const binary = join(folder, place, 'nats-server');
    writeFileSync(binary, `#!/bin/sh\necho 'nats-server: v${version}'\n`);
    chmodSync(binary, 0o755);
    return binary;
  }

  const find = (...places: string[]) =>
    findNatsServer({
      path: places.map((place) => join(folder, place)).join(delimiter),
      folders: [],
      cacheDir: join(folder, 'cache'),
      say: (line) => said.push(line),
    });

  it('prefers a server that keeps messages when it is killed to an earlier one on the PATH', async () => {
    server('old', '2.9.10');
    const reliable = server('new', '2.10.29');
    expect(await find('old', 'new')).toBe(reliable);
    expect(said).toEqual([]);
  });

  it('takes an old server if there is no other, and says what it can lose', async () => {
    const old = server('old', '2.9.10');
    expect(await find('old')).toBe(old);
    expect(said).toEqual([
      expect.stringMatching(/can forget accepted events when it is killed: install nats-server 2\.10/),
    ]);
  });

  it('prefers a reliable server that was fetched earlier', async () => {
    server('old', '2.9.10');
    const cached = server('cache', '2.12.2');
    expect(await find('old')).toBe(cached);
  });
});
