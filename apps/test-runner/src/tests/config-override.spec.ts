import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { type DestinationKind, destinationKind } from '@weir/destinations';
import { overriddenConfig } from './config-override.js';

const webhook = destinationKind('WEBHOOK') as DestinationKind;
const stored = {
  webhookUrl: 'https://hooks.example.com/in',
  webhookMethod: 'PUT',
  headers: [{ from: 'x-key', to: 'stored-secret' }],
  extra: 1,
};
const configOf = (override?: JsonObject) => overriddenConfig(webhook, stored, override);

describe('overriddenConfig', () => {
  it('without an override is the stored configuration', () => {
    expect(configOf()).toEqual(stored);
  });

  it('replaces whole keys, and keeps secrets on the stored origin', () => {
    const override = { webhookUrl: 'https://hooks.example.com/other', webhookMethod: 'POST' };
    expect(configOf(override)).toEqual({ ...stored, ...override });
  });

  it.each([
    'https://evil.example/in',
    'http://hooks.example.com/in',
    'https://hooks.example.com:8443/in',
    'https://hooks.example.com.evil.example/in',
    'not a url',
    null,
  ])('sends no stored secret to %j', (webhookUrl) => {
    const config = configOf({ webhookUrl });
    expect(JSON.stringify(config)).not.toContain('stored-secret');
    expect(config).toMatchObject({ webhookUrl, webhookMethod: 'PUT', extra: 1 });
  });

  it('lets the caller bring secrets of its own to its own address', () => {
    const override = { webhookUrl: 'https://mine.example', headers: [{ from: 'x-key', to: 'my-own' }] };
    expect(configOf(override)).toEqual({ ...stored, ...override });
  });

  it('keeps secrets back although the caller renames the header', () => {
    const override = { webhookUrl: 'https://mine.example', headers: [{ from: 'x-key' }] };
    expect(JSON.stringify(configOf(override))).not.toContain('stored-secret');
  });
});
