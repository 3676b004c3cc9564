import { describe, expect, it } from '@jest/globals';
import { type EgressByOwner, EgressError, type EgressErrorCode } from '@weir/egress';
import { newKsuid } from '@weir/service-kit';
import { FetchService } from './fetch.service.js';

const SILENT = 'The address cannot be resolved or is not allowed';

/** Returns how a call fails whose way out fails with this code. */
const failureOf = (code: EgressErrorCode, url: string) => {
  const request = () => Promise.reject(new EgressError(code, 'The way out is closed'));
  const egress = { of: () => ({ request }) } as unknown as EgressByOwner;
  const call = { workspaceId: newKsuid(), url, method: 'GET', headers: {} };
  return new FetchService(egress).fetch(call).catch((error) => [error.code, error.message]);
};

describe('a call that fails', () => {
  it.each([
    ['http://127.0.0.1:1/', 'blocked request to non-public address: 127.0.0.1'],
    ['https://[::1]/', 'blocked request to non-public address: ::1'],
    ['https://0x7f.1/', 'blocked request to non-public address: 127.0.0.1'],
    ['http://localhost/', 'cannot use 127.0.0.1 as IP address for localhost'],
    ['https://a.LOCALHOST./', 'cannot use 127.0.0.1 as IP address for a.localhost.'],
  ])('names what the URL %s tells itself', async (url, message) => {
    expect(await failureOf('blocked', url)).toEqual(['invalid', message]);
  });

  it.each([
    ['blocked', 'https://db.internal/'],
    ['dns', 'https://db.internal/'],
    ['blocked', 'https://rebound.example.com/'],
    ['blocked', 'https://8.8.8.8:25/'],
    ['dns', 'https://localhost.example.com/'],
  ] as const)('tells nothing about the network: %s for %s', async (code, url) => {
    expect(await failureOf(code, url)).toEqual(['invalid', SILENT]);
  });

  it.each([
    ['invalid_url', ['invalid', 'invalid url, The way out is closed']],
    ['invalid_header', ['invalid', 'The way out is closed']],
    ['connect', ['unavailable', 'The way out is closed']],
    ['timeout', ['timeout', 'The way out is closed']],
  ] as const)('keeps the reason of %s', async (code, failure) => {
    expect(await failureOf(code, 'https://127.0.0.1/')).toEqual(failure);
  });
});
