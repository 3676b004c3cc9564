import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readConfig } from './config.js';

describe('readConfig', () => {
  let directory: string;
  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'weir-sandbox-'));
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  const descriptor = (content: string) => {
    const path = join(directory, 'secret');
    writeFileSync(path, content);
    return openSync(path, 'r');
  };

  it('reads the URL from the descriptor once', () => {
    const fd = String(descriptor('nats://sandbox:secret@host:4222\n'));
    expect(readConfig({ NATS_CREDENTIALS_FD: fd, NATS_URL: 'nats://other' })).toMatchObject({
      natsUrl: 'nats://sandbox:secret@host:4222',
      hasUnsafeCredentials: false,
      children: 8,
    });
    expect(() => readConfig({ NATS_CREDENTIALS_FD: fd })).toThrow('EBADF');
  });

  it('accepts NATS_URL for development only', () => {
    expect(readConfig({ NATS_URL: 'nats://host' })).toMatchObject({
      natsUrl: 'nats://host',
      hasUnsafeCredentials: true,
    });
    expect(() => readConfig({ NATS_URL: 'nats://host', NODE_ENV: 'production' })).toThrow('NATS_CREDENTIALS_FD');
  });

  it('reads what is switched off', () => {
    const id = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
    const switchedOff = (env: NodeJS.ProcessEnv) => readConfig({ NATS_URL: 'nats://host', ...env }).switchedOff;
    expect(switchedOff({})).toEqual({ everything: false, workspaces: [] });
    expect(switchedOff({ SANDBOX_DISABLED: 'true' })).toEqual({ everything: true, workspaces: [] });
    expect(switchedOff({ SANDBOX_DISABLED_WORKSPACES: `${id},` })).toEqual({ everything: false, workspaces: [id] });
    expect(() => switchedOff({ SANDBOX_DISABLED_WORKSPACES: 'acme' })).toThrow('SANDBOX_DISABLED_WORKSPACES');
    expect(() => switchedOff({ SANDBOX_DISABLED: 'yes' })).toThrow('SANDBOX_DISABLED');
  });

  it('names what is missing', () => {
    expect(() => readConfig({})).toThrow('NATS_CREDENTIALS_FD: is required');
    expect(() => readConfig({ NATS_CREDENTIALS_FD: String(descriptor('')) })).toThrow(
      'NATS_CREDENTIALS_FD: contains no URL',
    );
    expect(() => readConfig({ NATS_URL: 'x', SANDBOX_CHILDREN: '1' })).toThrow('SANDBOX_CHILDREN');
  });
});
