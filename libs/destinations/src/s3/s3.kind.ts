import type { DestinationKind } from '../kind.js';
import { undeliverable } from '../undeliverable.js';
import { s3Definition } from './s3.definition.js';
import { S3_USERS_MAX, s3Delete } from './s3.delete.js';

export const s3: DestinationKind = {
  definition: s3Definition,
  ...undeliverable(s3Definition.displayName),
  deletionUsersMax: S3_USERS_MAX,
  deletionIdentifiers: ['userId'],
  delete: s3Delete,
};
