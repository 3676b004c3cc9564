import { Injectable, Logger } from '@nestjs/common';
import { credentialAad, ListCredentials, type StoredCredential, type UserCredential } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { LruCache } from './lru-cache.js';

/** A changed credential is used after this at the latest. */
const FRESH_MS = 1_000;
/** Each holds 64 KiB at most. */
const WORKSPACES_MAX = 200;

interface Known {
  askedAt: number;
  credentials: Promise<UserCredential[]>;
}

/** What `getCredential` gives in each workspace. The last known stays while the registry is away; without any, it throws. */
@Injectable()
export class CredentialCache {
  private readonly logger = new Logger(CredentialCache.name);
  private readonly known = new LruCache<Known>(WORKSPACES_MAX);

  constructor(
    private readonly rpc: RpcClient,
    private readonly sealer: Sealer,
  ) {}

  of(workspaceId: string): Promise<UserCredential[]> {
    const known = this.known.get(workspaceId);
    if (known && Date.now() - known.askedAt < FRESH_MS) return known.credentials;
    const credentials = this.ask(workspaceId).catch((error: Error) => {
      if (!known) throw error;
      this.logger.warn(`credentials are not known to be current: ${error.message}`);
      return known.credentials;
    });
    this.known.set(workspaceId, { askedAt: Date.now(), credentials });
    credentials.catch(() => this.known.delete(workspaceId));
    return credentials;
  }

  private async ask(workspaceId: string): Promise<UserCredential[]> {
    const { credentials } = await this.rpc.send(ListCredentials, { workspaceId });
    return credentials.flatMap((credential) => this.opened(workspaceId, credential));
  }

  /** One that was sealed with another key is as good as none: the other ones still open. */
  private opened(workspaceId: string, { key, sealedValue }: StoredCredential): UserCredential[] {
    try {
      return [{ key, value: String(this.sealer.open(sealedValue, credentialAad(workspaceId, key))['value']) }];
    } catch {
      this.logger.error(`credential ${key} of ${workspaceId} does not open: it has to be put again`);
      return [];
    }
  }
}
