import { BATCH_WAIT_MS_MAX } from '@weir/contracts';
import type { DestinationKind } from '../kind.js';
import { s3Definition } from './s3.definition.js';
import { S3_USERS_MAX, s3Delete } from './s3.delete.js';
import { S3Session } from './s3.session.js';
import { s3Settings } from './s3.settings.js';
import { s3Transform } from './s3.transform.js';

export const s3: DestinationKind = {
  definition: s3Definition,
  transform: s3Transform,
  takesEventsWhole: true,
  open: (config, outbound) => new S3Session(s3Settings(config), outbound),
  // Readers of a bucket prefer few large objects. Events are acknowledged only after the object is stored.
  batching: { payloadsMax: 1_000, bytesMax: 4_194_304, waitMs: BATCH_WAIT_MS_MAX },
  deletionUsersMax: S3_USERS_MAX,
  deletionIdentifiers: ['userId'],
  delete: s3Delete,
};
