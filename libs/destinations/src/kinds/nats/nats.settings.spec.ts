import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { natsSettings } from './nats.session.js';

describe('the settings of NATS', () => {
  it('have usual values where none are given', () => {
    expect(natsSettings({ servers: 'n1, n2:7' })).toEqual({
      servers: [
        { host: 'n1', port: 4_222 },
        { host: 'n2', port: 7 },
      ],
      ...{ tls: false, authenticators: [], jetStream: true },
    });
  });

  it('publish without a stream, and over TLS, if configured', () => {
    expect(natsSettings({ servers: 'n1', jetStream: false, tls: true, skipVerify: true })).toMatchObject({
      ...{ jetStream: false, tls: { skipVerify: true } },
    });
  });

  it.each<[JsonObject, JsonObject[]]>([
    [{ username: 'u', password: 'p' }, [{ user: 'u', pass: 'p' }]],
    [{ token: 't' }, [{ auth_token: 't' }]],
    [{ token: 't', username: 'u' }, [{ user: 'u' }, { auth_token: 't' }]],
  ])('log in by %j', (login, sent) => {
    const { authenticators } = natsSettings({ servers: 'n1', ...login });
    expect(authenticators.map((of) => of('nonce'))).toMatchObject(sent);
  });

  it('take a file of credentials', () => {
    expect(natsSettings({ servers: 'n1', credentials: 'creds' }).authenticators).toHaveLength(1);
  });
});
