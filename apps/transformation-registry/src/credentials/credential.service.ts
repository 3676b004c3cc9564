import { Injectable } from '@nestjs/common';
import {
  AppError,
  CREDENTIALS_BYTES_MAX,
  CREDENTIALS_MAX,
  notFound,
  type PutCredential,
  type RequestOf,
  type StoredCredential,
} from '@weir/contracts';
import { WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { CredentialRepository, type CredentialRow } from './credential.repository.js';

/** Stores values that it cannot read: they arrive and leave encrypted. */
@Injectable()
export class CredentialService {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly credentials: CredentialRepository,
  ) {}

  put({ workspaceId, ...credential }: RequestOf<typeof PutCredential>): Promise<StoredCredential> {
    return this.database.write(workspaceId, async (tx) => {
      const row = await this.credentials.put(tx, credential);
      await this.refuseWhenFull(tx);
      return credentialOf(row);
    });
  }

  async list(workspaceId: string): Promise<StoredCredential[]> {
    return (await this.credentials.list(this.database.read(workspaceId))).map(credentialOf);
  }

  remove(workspaceId: string, key: string): Promise<void> {
    return this.database.write(workspaceId, async (tx) => {
      if (!(await this.credentials.remove(tx, key))) throw notFound('credential');
    });
  }

  /** Runs after the write. Its error rolls the write back. */
  private async refuseWhenFull(tx: WriteScope): Promise<void> {
    const { count, bytes } = await this.credentials.size(tx);
    if (count <= CREDENTIALS_MAX && bytes <= CREDENTIALS_BYTES_MAX) return;
    throw new AppError(
      'conflict',
      `a workspace keeps ${CREDENTIALS_MAX} credentials of ${CREDENTIALS_BYTES_MAX} bytes sealed: delete one first`,
    );
  }
}

const credentialOf = (row: CredentialRow): StoredCredential => ({
  key: row.key,
  isSecret: row.is_secret,
  sealedValue: row.sealed_value,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
});
