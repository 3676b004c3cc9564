import { describe, expect, it } from '@jest/globals';
import { kafkaSettings } from './kafka.session.js';

describe('the settings of Kafka', () => {
  it('name each broker with its port, or with that of all', () => {
    expect(kafkaSettings({ hostName: 'k1,k2:7,[2001:db8::1]', port: '9' })).toEqual({
      ...{ brokers: ['k1:9', 'k2:7', '[2001:db8::1]:9'], tls: false, sasl: undefined },
    });
    expect(kafkaSettings({ hostName: 'k1' }).brokers).toEqual(['k1:9092']);
  });

  it('use TLS if configured', () => {
    const own = { hostName: 'k1', sslEnabled: true, caCertificate: 'pem' };
    expect(kafkaSettings(own).tls).toEqual({ skipVerify: false, ca: 'pem' });
  });

  it.each([
    [undefined, 'plain'],
    ['plain', 'plain'],
    ['sha256', 'scram-sha-256'],
    ['sha512', 'scram-sha-512'],
  ])('log in by %s', (saslType, mechanism) => {
    const own = { hostName: 'k1', useSASL: true, username: 'u', password: 'p', saslType };
    expect(kafkaSettings(own).sasl).toEqual({ mechanism, username: 'u', password: 'p' });
  });

  it.each([
    [{ username: '', password: 'p' }, 'username is required'],
    [{ username: 'u' }, 'password is required'],
    [{ username: 'u', password: 'p', saslType: 'gssapi' }, 'saslType must be plain, sha256 or sha512'],
  ])('refuse the login %j', (login, message) => {
    expect(() => kafkaSettings({ hostName: 'k1', useSASL: true, ...login })).toThrow(message);
  });
});
