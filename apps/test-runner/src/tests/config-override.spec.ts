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
const configOf = (override?: JsonObject) => overriddenConfig(webhook, stored, override).config;

describe('overriddenConfig', () => {
  it('without an override is the stored configuration', () => {
    expect(overriddenConfig(webhook, stored)).toEqual({ config: stored });
  });

  it('replaces whole keys, and keeps secrets at the stored address and below', () => {
    const override = { webhookUrl: 'https://hooks.example.com/in/deeper', webhookMethod: 'POST' };
    expect(overriddenConfig(webhook, stored, override)).toEqual({ config: { ...stored, ...override } });
  });

  it.each([
    'https://evil.example/in',
    'https://hooks.example.com/other',
    'https://hooks.example.com/in/../other',
    'http://hooks.example.com/in',
    'https://hooks.example.com:8443/in',
    'https://hooks.example.com.evil.example/in',
    'not a url',
    null,
  ])('sends no stored secret to %j', (webhookUrl) => {
    const { config, leftOut } = overriddenConfig(webhook, stored, { webhookUrl });
    expect(leftOut).toEqual({ changed: ['webhookUrl'], keys: ['headers.to'] });
    expect(JSON.stringify(config)).not.toContain('stored-secret');
    expect(config).toMatchObject({ webhookUrl, webhookMethod: 'PUT', extra: 1 });
  });

  it('lets the caller bring secrets of its own to its own address', () => {
    const override = { webhookUrl: 'https://mine.example', headers: [{ from: 'x-key', to: 'my-own' }] };
    expect(overriddenConfig(webhook, stored, override)).toEqual({ config: { ...stored, ...override } });
  });

  it('sends no stored secret to another subdomain, or another instance', () => {
    const zendesk = destinationKind('ZENDESK') as DestinationKind;
    const acme = { email: 'a@example.com', apiToken: 'stored-secret', domain: 'acme' };
    expect(overriddenConfig(zendesk, acme, { domain: 'evil' })).toEqual({
      config: { email: 'a@example.com', domain: 'evil' },
      leftOut: { changed: ['domain'], keys: ['apiToken'] },
    });
    expect(overriddenConfig(zendesk, acme, { email: 'b@example.com' }).config).toHaveProperty(
      'apiToken',
      'stored-secret',
    );
  });

  it('keeps secrets back although the caller renames the header', () => {
    const override = { webhookUrl: 'https://mine.example', headers: [{ from: 'x-key' }] };
    expect(JSON.stringify(configOf(override))).not.toContain('stored-secret');
  });
});
