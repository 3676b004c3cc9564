import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

export const redisDefinition: DestinationDefinition = {
  name: 'REDIS',
  displayName: 'Redis',
  config: cloudConfig({
    keys: [
      'address',
      'database',
      'password',
      'prefix',
      'secure',
      'skipVerify',
      'caCertificate',
      'clusterMode',
      'useJSONModule',
    ],
    secretKeys: ['password', 'caCertificate'],
    addressKeys: ['address'],
    messageTypes: ['identify'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['address'],
    properties: {
      address: {
        type: 'string',
        minLength: 1,
        maxLength: 2_048,
        description: '`host:port`; of a cluster, several by comma',
      },
      database: { type: ['string', 'integer'], default: '0', description: 'Number of the database; not for clusters' },
      password: { type: 'string', maxLength: 1_024 },
      prefix: { type: 'string', maxLength: 256, description: 'Users are kept at `<prefix>:user:<userId>`' },
      secure: { type: 'boolean', default: false, description: 'TLS' },
      skipVerify: { type: 'boolean', default: false, description: 'Accept any certificate' },
      caCertificate: {
        type: 'string',
        maxLength: 65_536,
        description: 'Trust this authority (PEM) instead of the public ones',
      },
      clusterMode: { type: 'boolean', default: false },
      useJSONModule: { const: false, description: 'Users are kept as hashes only' },
    },
  },
};
