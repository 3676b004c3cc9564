import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';

export const s3Definition: DestinationDefinition = {
  name: 'S3',
  displayName: 'Amazon S3',
  config: cloudConfig({
    keys: ['bucketName', 'prefix', 'iamRoleARN', 'roleBasedAuth', 'accessKeyID', 'accessKey', 'enableSSE'],
    secretKeys: ['accessKeyID', 'accessKey'],
    addressKeys: ['endPoint', 'region', 'bucketName'],
    messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
    transformAtV1: 'none',
  }),
  configSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    required: ['bucketName'],
    properties: {
      bucketName: { type: 'string', minLength: 1, maxLength: 255 },
      prefix: { type: 'string', maxLength: 1_024, description: 'Folder; without it, the whole bucket' },
      roleBasedAuth: {
        type: 'boolean',
        default: false,
        description: 'Roles cannot be taken on: an access key is needed',
      },
      accessKeyID: { type: 'string', maxLength: 256 },
      accessKey: { type: 'string', maxLength: 1_024 },
      enableSSE: { type: 'boolean', default: false, description: 'Write with AES256 encryption at rest' },
      endPoint: {
        type: 'string',
        maxLength: 512,
        description: '`host` or `host:port` of another store than Amazon S3',
      },
      useSSL: { type: 'boolean', default: true, description: 'TLS, for another store' },
      s3ForcePathStyle: {
        type: 'boolean',
        default: false,
        description: 'The bucket stands in the path, not in the host name',
      },
      region: { type: 'string', pattern: '^[a-z\\d-]{0,64}$', description: 'us-east-1 by default' },
    },
  },
};
