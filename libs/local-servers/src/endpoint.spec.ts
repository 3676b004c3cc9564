import { describe, expect, it } from '@jest/globals';
import { endpointOf } from './endpoint.js';

describe('endpointOf', () => {
  it.each([
    ['postgres://user:pass@db.internal/weir', { host: 'db.internal', port: 5432 }],
    ['postgresql://db:6000/weir', { host: 'db', port: 6000 }],
    ['nats://127.0.0.1', { host: '127.0.0.1', port: 4222 }],
    ['not a url', undefined],
    ['http://example.com/', undefined],
  ])('%s', (url, endpoint) => {
    expect(endpointOf(url)).toEqual(endpoint);
  });
});
