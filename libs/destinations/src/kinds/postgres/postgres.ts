import { defineKind } from '../../define-kind.js';
import { streamPayload, userOf } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import { PostgresSession, postgresSettings } from './postgres.session.js';

const NAME = { type: 'string', maxLength: 63, pattern: '^[^\\u0000]*$' } as const;

const PEM = { type: 'string', maxLength: 65_536 } as const;

export default defineKind({
  name: 'POSTGRES',
  displayName: 'Postgres',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: {
    host: kit.required(kit.asAddress(kit.field({ type: 'string', minLength: 1, maxLength: 255 }))),
    database: kit.required(kit.field({ ...NAME, minLength: 1 })),
    user: kit.required(kit.field({ ...NAME, minLength: 1 })),
    password: kit.asSecret(kit.field({ type: 'string', maxLength: 4_096 })),
    port: kit.asAddress(kit.field({ type: ['string', 'integer'], default: '5432' })),
    namespace: kit.field({ ...NAME, description: 'Schema of the table. Default: `public`' }),
    table: kit.field({ ...NAME, description: 'Table, which is made if it is missing. Default: `weir_events`' }),
    sslMode: kit.field({
      enum: ['disable', 'require', 'verify-ca', 'verify-full', ''],
      default: 'disable',
      description: '`require` encrypts, the others check the certificate too',
    }),
    clientKey: kit.asSecret(kit.field({ ...PEM, description: 'Key of the certificate (PEM)' })),
    clientCert: kit.field({ ...PEM, description: 'Certificate that the server asks for (PEM)' }),
    serverCA: kit.field({ ...PEM, description: 'Trust this authority (PEM) instead of the public ones' }),
  },
  example: { host: 'pg.example.com', port: '5432', database: 'events', user: 'ada' },
  /** Passes the event on unchanged, as one row. */
  transform(event, config) {
    const { table } = postgresSettings(config);
    return [streamPayload({ type: 'POSTGRES', method: 'INSERT', endpoint: table, json: event, userId: userOf(event) })];
  },
  open: (config, outbound) => new PostgresSession(postgresSettings(config), outbound),
  batching: { payloadsMax: 500, bytesMax: 1_048_576, waitMs: 50 },
});
