import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

export const natsDefinition: DestinationDefinition = {
  name: 'NATS',
  displayName: 'NATS',
  config: cloudConfig({
    keys: [
      ...['servers', 'subject', 'subjectByType', 'jetStream', 'username', 'password', 'token', 'credentials'],
      ...['tls', 'skipVerify', 'caCertificate'],
    ],
    secretKeys: ['password', 'token', 'credentials'],
    addressKeys: ['servers'],
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    transformAtV1: 'processor',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['servers', 'subject'],
    properties: {
      servers: { type: 'string', minLength: 1, maxLength: 2_048, description: '`host:port`; several by comma' },
      subject: {
        type: 'string',
        pattern: '^[^\\s.*>]+(\\.[^\\s.*>]+)*$',
        maxLength: 255,
        description: 'Where events are published',
      },
      subjectByType: { type: 'boolean', default: false, description: 'Put `.` and the type of the event behind it' },
      jetStream: {
        type: 'boolean',
        default: true,
        description: 'A stream has to acknowledge each event; otherwise the server that takes it',
      },
      username: { type: 'string', maxLength: 1_024 },
      password: { type: 'string', maxLength: 4_096 },
      token: { type: 'string', maxLength: 4_096 },
      credentials: { type: 'string', maxLength: 16_384, description: 'Content of a credentials file (JWT and seed)' },
      tls: { type: 'boolean', default: false },
      skipVerify: { type: 'boolean', default: false, description: 'Accept any certificate' },
      caCertificate: {
        type: 'string',
        maxLength: 65_536,
        description: 'Trust this authority (PEM) instead of the public ones',
      },
    },
  },
};
