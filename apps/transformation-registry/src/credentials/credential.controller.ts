import { Controller } from '@nestjs/common';
import {
  AppError,
  CREDENTIALS_BYTES_MAX,
  CREDENTIALS_MAX,
  DeleteCredential,
  ListCredentials,
  notFound,
  PutCredential,
  type ReplyOf,
  type RequestOf,
  ResealCredential,
  type StoredCredential,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { recordAct } from '@weir/service-kit';
import { WorkspaceDatabase, type WriteScope } from '../database/workspace-database.js';
import { type CredentialEntity, CredentialRepository } from './credential.repository.js';

/** Stores values that it cannot read: they arrive and leave encrypted. */
@Controller()
export class CredentialController {
  constructor(
    private readonly database: WorkspaceDatabase,
    private readonly credentials: CredentialRepository,
  ) {}

  @Handles(PutCredential)
  put({ workspaceId, ...credential }: RequestOf<typeof PutCredential>): Promise<ReplyOf<typeof PutCredential>> {
    return this.database.write(workspaceId, async (tx) => {
      const stored = await this.credentials.put(tx, credential);
      await this.refuseWhenFull(tx);
      await recordAct(tx, credential.createdBy, { action: 'credential.stored', details: { key: credential.key } });
      return viewOf(stored);
    });
  }

  @Handles(ListCredentials)
  async list({ workspaceId }: RequestOf<typeof ListCredentials>): Promise<ReplyOf<typeof ListCredentials>> {
    return { credentials: (await this.credentials.list(this.database.read(workspaceId))).map(viewOf) };
  }

  @Handles(ResealCredential)
  async reseal({ workspaceId, ...change }: RequestOf<typeof ResealCredential>) {
    await this.database.write(workspaceId, (tx) => this.credentials.reseal(tx, change));
    return {};
  }

  @Handles(DeleteCredential)
  remove({ workspaceId, key, by }: RequestOf<typeof DeleteCredential>): Promise<ReplyOf<typeof DeleteCredential>> {
    return this.database.write(workspaceId, async (tx) => {
      if (!(await this.credentials.remove(tx, key))) throw notFound('credential');
      await recordAct(tx, by, { action: 'credential.deleted', details: { key } });
      return {};
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

const viewOf = (credential: CredentialEntity): StoredCredential => ({
  key: credential.key,
  isSecret: credential.isSecret,
  sealedValue: credential.sealedValue,
  createdBy: credential.createdBy,
  createdAt: credential.createdAt.toISOString(),
  updatedAt: credential.updatedAt.toISOString(),
});
