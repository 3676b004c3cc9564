import { CredentialEntity } from './credentials/credential.repository.js';
import { LinkEntity } from './links/link.repository.js';
import { migrations } from './migrations/index.js';
import {
  LibraryEntity,
  LibraryRevisionEntity,
  PublishedLibraryEntity,
  PublishedTransformationEntity,
  TransformationEntity,
  TransformationRevisionEntity,
} from './revisions/artifact.entity.js';
import { SavedTestsEntity } from './revisions/saved-test.repository.js';
import { TrialEntity } from './revisions/trial.repository.js';

/** The registry's own schema of the database. */
export const SCHEMA = {
  name: 'registry' as const,
  migrations,
  entities: [
    TransformationEntity,
    TransformationRevisionEntity,
    PublishedTransformationEntity,
    LibraryEntity,
    LibraryRevisionEntity,
    PublishedLibraryEntity,
    CredentialEntity,
    LinkEntity,
    SavedTestsEntity,
    TrialEntity,
  ],
};
