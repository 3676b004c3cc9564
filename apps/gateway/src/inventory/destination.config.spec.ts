import { describe, expect, it } from '@jest/globals';
import { MASK, maskedConfig } from '@weir/contracts';
import { DestinationConfig, refuseMasks, restoreSecrets } from './destination.config.js';

const keys = ['apiKey', 'headers.to', 'auth.password'];
const stored = {
  url: 'https://example.com',
  apiKey: 'k1',
  headers: [
    { from: 'x-a', to: 'secret-a' },
    { from: 'x-b', to: 'secret-b' },
  ],
  auth: { user: 'ada', password: 'p1' },
};
const masked = {
  url: 'https://example.com',
  apiKey: MASK,
  headers: [
    { from: 'x-a', to: MASK },
    { from: 'x-b', to: MASK },
  ],
  auth: { user: 'ada', password: MASK },
};

describe('a configuration', () => {
  const definition = { config: { secretKeys: [], addressKeys: [] } };
  const catalog = { get: async () => definition, missingSettings: () => [] };
  const args = [catalog, { seal: () => 'sealed' }] as unknown as ConstructorParameters<typeof DestinationConfig>;
  const seal = (config: string) =>
    new DestinationConfig(...args).seal({ id: 'd', workspaceId: 'w', type: 'WEBHOOK' }, JSON.parse(config));

  it('is refused if it is small as sent and too large as stored', async () => {
    const sent = (numbers: number) => `{"n":[${'1e20,'.repeat(numbers - 1)}1e20]}`;
    await expect(seal(sent(10_000))).resolves.toMatchObject({ sealedConfig: 'sealed' });
    expect(sent(52_000).length).toBeLessThan(262_144);
    await expect(seal(sent(52_000))).rejects.toMatchObject({
      code: 'too_large',
      message: expect.stringMatching(/^config has 1144\d{3} bytes as Weir stores it, and at most 262144 fit$/),
    });
  });
});

describe('restoreSecrets', () => {
  it('restores masked secrets', () => {
    expect(restoreSecrets(masked, stored, keys)).toEqual(stored);
  });

  it('takes new secrets as they are sent', () => {
    expect(restoreSecrets({ ...masked, apiKey: 'k2' }, stored, keys)).toMatchObject({ apiKey: 'k2' });
  });

  it('follows elements that moved, went or came', () => {
    const headers = [
      { from: 'x-b', to: MASK },
      { from: 'x-c', to: 'new' },
    ];
    expect(restoreSecrets({ headers }, stored, keys)).toEqual({
      headers: [
        { from: 'x-b', to: 'secret-b' },
        { from: 'x-c', to: 'new' },
      ],
    });
  });

  it('keeps different secrets apart behind equal masks', () => {
    const twice = {
      headers: [
        { from: 'x', to: 's1' },
        { from: 'x', to: 's2' },
      ],
    };
    expect(restoreSecrets(maskedConfig(twice, keys), twice, keys)).toEqual(twice);
  });

  it.each([
    ['a secret that was never stored', { apiKey: MASK }, {}, 'config.apiKey'],
    ['an element that was changed', { headers: [{ from: 'x-z', to: MASK }] }, stored, 'config.headers.0.to'],
    [
      'one element more than was stored',
      { headers: [masked.headers[0], masked.headers[0]] },
      stored,
      'config.headers.1.to',
    ],
  ])('refuses the mask of %s', (_, next, before, field) => {
    expect(() => restoreSecrets(next, before, keys)).toThrow(
      expect.objectContaining({ code: 'invalid', details: { [field]: expect.any(String) } }),
    );
  });

  it('leaves the same text alone where it is no secret', () => {
    expect(restoreSecrets({ url: MASK }, stored, keys)).toEqual({ url: MASK });
  });
});

describe('refuseMasks', () => {
  it('names the secret that is to be sent, and says why', () => {
    expect(() => refuseMasks({ apiKey: 'k2', headers: [{ to: 'new' }, { to: MASK }] }, keys, 'url changed')).toThrow(
      expect.objectContaining({
        code: 'invalid',
        details: { 'config.headers.1.to': expect.stringMatching(/send the secret itself \(url changed\)$/) },
      }),
    );
  });

  it('takes a configuration that has all of them', () => {
    expect(() => refuseMasks(stored, keys)).not.toThrow();
  });
});
