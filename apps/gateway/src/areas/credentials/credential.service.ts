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
import { CONFIG, Sealer } from '@weir/service-kit';
import { z } from 'zod';
import type { Config } from '../../config.js';
import type { Principal } from '../../http/principal.js';

/** Characters of one value. Enough for tokens and private keys, not for documents. */
const VALUE_MAX = 16_384;

export const CredentialPath = z.object({
  key: z
    .string()
    .regex(/^[\w.-]{1,128}$/, 'credential not found: a key has 1 to 128 letters, digits, _, . and -')
    .meta({ description: 'Key of the credential' }),
});
export type CredentialPath = z.output<typeof CredentialPath>;

export const CredentialBody = z
  .object({
    value: z.string().min(1).max(VALUE_MAX),
    isSecret: z.boolean().default(true).meta({ description: 'If true, the value is never shown again' }),
  })
  .meta({ id: 'PutCredential', examples: [{ value: 'a-secret-value', isSecret: true }] });
export type CredentialBody = z.output<typeof CredentialBody>;

export const Credential = z
  .object({
    key: z.string(),
    isSecret: z.boolean(),
    value: z.string().optional().meta({ description: 'Only if the credential is not a secret' }),
    createdBy: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'Credential' });
export type Credential = z.output<typeof Credential>;

export const CredentialAnswer = z.object({ credential: Credential });
export const CredentialList = z.object({ credentials: z.array(Credential) });

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

  async remove({ workspaceId, email: by }: Principal, key: string): Promise<void> {
    await this.rpc.send(DeleteCredential, { workspaceId, key, by });
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
