import { Inject, Injectable } from '@nestjs/common';
import {
  AppError,
  type CodeReach,
  credentialAad,
  DeleteCredential,
  ListCredentials,
  notFound,
  PutCredential,
  type StoredCredential,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import type { Principal } from '../../auth/principal.js';
import { CONFIG, type Config } from '../../config.js';
import type { Credential, CredentialBody } from './credential.schemas.js';

/** Seals and opens credentials. The registry stores them beside the code and cannot read them. */
@Injectable()
export class CredentialService {
  private readonly sealer: Sealer;

  constructor(
    private readonly rpc: RpcClient,
    @Inject(CONFIG) { encryptionKey }: Config,
  ) {
    this.sealer = new Sealer(encryptionKey);
  }

  async put({ workspaceId, email }: Principal, key: string, { value, isSecret }: CredentialBody): Promise<Credential> {
    const sealedValue = this.sealer.seal({ value }, credentialAad(workspaceId, key));
    const request = { workspaceId, createdBy: email, key, isSecret, sealedValue };
    return this.shown(workspaceId, await this.rpc.send(PutCredential, request));
  }

  async list(workspaceId: string): Promise<Credential[]> {
    return (await this.stored(workspaceId)).map((credential) => this.shown(workspaceId, credential));
  }

  async get(workspaceId: string, key: string): Promise<Credential> {
    const credential = (await this.stored(workspaceId)).find((one) => one.key === key);
    if (!credential) throw notFound('credential');
    return this.shown(workspaceId, credential);
  }

  async remove(workspaceId: string, key: string): Promise<void> {
    await this.rpc.send(DeleteCredential, { workspaceId, key });
  }

  /** Access of code under test: credentials in clear text, and the network if allowed. Must never reach an answer. */
  async reachOf({ workspaceId, allowFetch }: Principal): Promise<CodeReach> {
    const stored = await this.stored(workspaceId);
    const credentials = stored.map((one) => ({ key: one.key, value: this.open(workspaceId, one) }));
    return { credentials, allowFetch };
  }

  private async stored(workspaceId: string): Promise<StoredCredential[]> {
    return (await this.rpc.send(ListCredentials, { workspaceId })).credentials;
  }

  private shown(workspaceId: string, credential: StoredCredential): Credential {
    const { sealedValue: _, ...rest } = credential;
    return credential.isSecret ? rest : { ...rest, value: this.open(workspaceId, credential) };
  }

  private open(workspaceId: string, { key, sealedValue }: StoredCredential): string {
    try {
      return String(this.sealer.open(sealedValue, credentialAad(workspaceId, key))['value']);
    } catch (cause) {
      const message = `credential ${key} was stored under another encryption key: put it again or delete it`;
      throw new AppError('conflict', message, undefined, { cause });
    }
  }
}
