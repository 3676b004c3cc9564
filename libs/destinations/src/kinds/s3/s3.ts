import { BATCH_WAIT_MS_MAX } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { streamPayload, userOf } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import { s3Settings } from './s3.client.js';
import { S3_USERS_MAX, s3Delete } from './s3.deletion.js';
import { S3Session } from './s3.session.js';

export default defineKind({
  name: 'S3',
  displayName: 'Amazon S3',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  transformAtV1: 'none',
  config: {
    bucketName: kit.required(kit.asAddress(kit.field({ type: 'string', minLength: 1, maxLength: 255 }))),
    prefix: kit.field({ type: 'string', maxLength: 1_024, description: 'Folder. Without it, the whole bucket' }),
    iamRoleARN: kit.anything('Not read: roles cannot be taken on'),
    roleBasedAuth: kit.field({
      type: 'boolean',
      default: false,
      description: 'Roles cannot be taken on: an access key is needed',
    }),
    accessKeyID: kit.asSecret(kit.field({ type: 'string', maxLength: 256 })),
    accessKey: kit.asSecret(kit.field({ type: 'string', maxLength: 1_024 })),
    enableSSE: kit.field({ type: 'boolean', default: false, description: 'Write with AES256 encryption at rest' }),
    endPoint: kit.extra(
      kit.asAddress(
        kit.field({
          type: 'string',
          maxLength: 512,
          description: '`host` or `host:port` of another store than Amazon S3',
        }),
      ),
    ),
    useSSL: kit.extra(kit.field({ type: 'boolean', default: true, description: 'TLS, for another store' })),
    s3ForcePathStyle: kit.extra(
      kit.field({
        type: 'boolean',
        default: false,
        description: 'The bucket stands in the path, not in the host name',
      }),
    ),
    region: kit.extra(
      kit.asAddress(kit.field({ type: 'string', pattern: '^[a-z\\d-]{0,64}$', description: 'us-east-1 by default' })),
    ),
  },
  example: { bucketName: 'bucket-1', region: 'us-east-1' },
  /** Passes the event on unchanged, as one line of an object. */
  transform(event, config) {
    const { bucket, prefix } = s3Settings(config);
    const endpoint = `${bucket}/${prefix}`;
    return [streamPayload({ type: 'S3', method: 'PUT', endpoint, json: event, userId: userOf(event) })];
  },
  takesEventsWhole: true,
  open: (config, outbound) => new S3Session(s3Settings(config), outbound),
  // Readers of a bucket prefer few large objects. Events are acknowledged only after the object is stored.
  batching: { payloadsMax: 1_000, bytesMax: 4_194_304, waitMs: BATCH_WAIT_MS_MAX },
  deletion: { usersMax: S3_USERS_MAX, identifiers: ['userId'], delete: s3Delete },
});
