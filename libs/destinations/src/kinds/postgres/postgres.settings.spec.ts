import type { ConnectionOptions } from 'node:tls';
import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { postgresSettings } from './postgres.session.js';

const settingsOf = (more: JsonObject = {}) =>
  postgresSettings({ host: 'db.example', database: 'shop', user: 'weir', ...more });

describe('the settings of Postgres', () => {
  it('have usual values where none are given', () => {
    expect(settingsOf()).toEqual({
      ...{ host: 'db.example', port: 5_432, database: 'shop', user: 'weir', password: '', ssl: false },
      table: '"public"."weir_events"',
    });
  });

  it.each<[string, JsonObject]>([
    ['require', { servername: 'db.example', rejectUnauthorized: false }],
    ['verify-full', { servername: 'db.example', rejectUnauthorized: true }],
    ['verify-ca', { servername: 'db.example', rejectUnauthorized: true, checkServerIdentity: expect.any(Function) }],
  ])('check the certificate as libpq does with %s', (sslMode, ssl) => {
    expect(settingsOf({ sslMode }).ssl).toEqual(ssl);
  });

  it('name no server where there is only an address', () => {
    expect(settingsOf({ sslMode: 'require', host: '192.0.2.7' }).ssl).toEqual({ rejectUnauthorized: false });
  });

  it('accept any name with verify-ca', () => {
    const { checkServerIdentity: check } = settingsOf({ sslMode: 'verify-ca' }).ssl as ConnectionOptions;
    expect(check?.('other', {} as never)).toBeUndefined();
  });

  it('hold a certificate only together with its key', () => {
    const own = { sslMode: 'verify-full', serverCA: 'ca', clientCert: 'cert' };
    expect(settingsOf(own).ssl).toMatchObject({ ca: 'ca' });
    expect(settingsOf(own).ssl).not.toHaveProperty('cert');
    expect(settingsOf({ ...own, clientKey: 'key' }).ssl).toMatchObject({ ca: 'ca', cert: 'cert', key: 'key' });
  });

  it.each(['0', '65536', '1.5', 'x'])('refuse the port %s', (port) => {
    expect(() => settingsOf({ port })).toThrow('port must be a number');
  });
});
