import { Injectable, Logger } from '@nestjs/common';
import { credentialAad, ListCredentials, type StoredCredential, type UserCredential } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { CodeSecrets } from './code-secrets.js';
import { LruCache } from './lru-cache.js';

/** Maximum time until a changed credential takes effect. */
const FRESH_MS = 1_000;
/** One workspace holds at most 64 KiB. */
const WORKSPACES_MAX = 200;

/** The stored credentials of a workspace and their decrypted form. */
interface Opened {
  stored: string;
  credentials: UserCredential[];
  secrets: CodeSecrets;
}

interface Known {
  askedAt: number;
  opened: Promise<Opened>;
}

/**
 * Provides the values that `getCredential` returns. Keeps the last known values while the registry is away, and throws if there
 * are none.
 */
@Injectable()
export class CredentialCache {
  private readonly logger = new Logger(CredentialCache.name);
  private readonly known = new LruCache<Known>(WORKSPACES_MAX);

  constructor(
    private readonly rpc: RpcClient,
    private readonly sealer: Sealer,
  ) {}

  async of(workspaceId: string): Promise<UserCredential[]> {
    return (await this.opened(workspaceId)).credentials;
  }

  /** The values that must never be shown. */
  async secretsOf(workspaceId: string): Promise<CodeSecrets> {
    return (await this.opened(workspaceId)).secrets;
  }

  private opened(workspaceId: string): Promise<Opened> {
    const known = this.known.get(workspaceId);
    if (known && Date.now() - known.askedAt < FRESH_MS) return known.opened;
    const opened = this.ask(workspaceId, known).catch((error: Error) => {
      if (!known) throw error;
      this.logger.warn(`credentials are not known to be current: ${error.message}`);
      return known.opened;
    });
    this.known.set(workspaceId, { askedAt: Date.now(), opened });
    opened.catch(() => this.known.delete(workspaceId));
    return opened;
  }

  /** Reuses the decrypted values if nothing changed. Decrypting and building the search costs more than the query. */
  private async ask(workspaceId: string, known: Known | undefined): Promise<Opened> {
    const { credentials } = await this.rpc.send(ListCredentials, { workspaceId });
    const stored = JSON.stringify(credentials);
    const before = await known?.opened;
    return before?.stored === stored ? before : { stored, ...this.open(workspaceId, credentials) };
  }

  private open(workspaceId: string, stored: readonly StoredCredential[]): Omit<Opened, 'stored'> {
    const open = stored.flatMap((one) => this.openOne(workspaceId, one));
    return {
      credentials: open.map(({ key, value }) => ({ key, value })),
      secrets: new CodeSecrets(open.filter(({ isSecret }) => isSecret).map(({ value }) => value)),
    };
  }

  /** Skips a credential that was sealed with another key, so that the others still work. */
  private openOne(workspaceId: string, { key, isSecret, sealedValue }: StoredCredential) {
    try {
      const { value } = this.sealer.open(sealedValue, credentialAad(workspaceId, key));
      return [{ key, isSecret, value: String(value) }];
    } catch {
      this.logger.error(`credential ${key} of ${workspaceId} does not open: it has to be put again`);
      return [];
    }
  }
}
