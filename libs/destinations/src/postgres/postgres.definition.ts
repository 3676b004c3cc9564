import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

const NAME = { type: 'string', maxLength: 63, pattern: '^[^\\u0000]*$' };
const PEM = { type: 'string', maxLength: 65_536 };

export const postgresDefinition: DestinationDefinition = {
  name: 'POSTGRES',
  displayName: 'Postgres',
  config: cloudConfig({
    keys: [
      ...['host', 'database', 'user', 'password', 'port', 'namespace', 'table', 'sslMode'],
      ...['clientKey', 'clientCert', 'serverCA'],
    ],
    secretKeys: ['password', 'clientKey'],
    addressKeys: ['host', 'port'],
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['host', 'database', 'user'],
    properties: {
      host: { type: 'string', minLength: 1, maxLength: 255 },
      port: { type: ['string', 'integer'], default: '5432' },
      database: { ...NAME, minLength: 1 },
      user: { ...NAME, minLength: 1 },
      password: { type: 'string', maxLength: 4_096 },
      namespace: { ...NAME, description: 'Schema of the table; `public` by default' },
      table: { ...NAME, description: 'Made when it is not there; `weir_events` by default' },
      sslMode: {
        enum: ['disable', 'require', 'verify-ca', 'verify-full', ''],
        default: 'disable',
        description: '`require` encrypts, the others check the certificate too',
      },
      serverCA: { ...PEM, description: 'Trust this authority (PEM) instead of the public ones' },
      clientCert: { ...PEM, description: 'Certificate that the server asks for (PEM)' },
      clientKey: { ...PEM, description: 'Key of the certificate (PEM)' },
    },
  },
};
