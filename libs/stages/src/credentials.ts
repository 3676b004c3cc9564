import { Injectable, Logger } from '@nestjs/common';
import {
  credentialAad,
  isJsonObject,
  ListCredentials,
  type StoredCredential,
  type UserCredential,
} from '@weir/contracts';
import { objectOf, SecretMask } from '@weir/destinations';
import { RpcClient } from '@weir/messaging';
import { Sealer } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';

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
  private readonly known = new LRUCache<string, Known>({ max: WORKSPACES_MAX });

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
      this.logger.warn(`cannot confirm that credentials are current: ${error.message}`);
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
      this.logger.error(`credential ${key} of ${workspaceId} cannot be decrypted. Store it again`);
      return [];
    }
  }
}

/**
 * Shorter values also occur in ordinary words, so masking them would hide too much. The sandbox does not mask them in logs
 * either.
 */
const SECRET_LENGTH_MIN = 4;

/**
 * Masks secrets that user code reads with `getCredential`, for readers who may see the code's output but not the secrets. Code
 * can put a secret anywhere, so the mask searches the text.
 */
export class CodeSecrets {
  private readonly secrets: readonly string[];
  private made: SecretMask | undefined;

  constructor(values: readonly string[]) {
    this.secrets = values.filter(({ length }) => length >= SECRET_LENGTH_MIN);
  }

  /** Built on first use because most events are never shown. */
  private get mask(): SecretMask {
    this.made ??= new SecretMask(this.secrets, { isCut: false });
    return this.made;
  }

  /** Replaces every secret in the value with `***`. */
  in<T>(value: T): T {
    return this.mask.in(value);
  }

  /** Masks an event, but keeps text that stands where the caller sent it. Masking that text would confirm a guessed secret. */
  inEvent<T>(event: T, sent: unknown): T {
    return (this.secrets.length > 0 ? this.beside(event, sent) : event) as T;
  }

  private beside(value: unknown, sent: unknown): unknown {
    if (value === sent) return value;
    if (Array.isArray(value)) {
      const items = Array.isArray(sent) ? sent : [];
      return value.map((item, index) => this.beside(item, items[index]));
    }
    if (!isJsonObject(value)) return this.in(value);
    const known = isJsonObject(sent) ? sent : {};
    const entries = Object.entries(value).map(([key, inner]) =>
      Object.hasOwn(known, key) ? [key, this.beside(inner, known[key])] : Object.entries(this.in({ [key]: inner }))[0],
    );
    return objectOf(entries as [string, unknown][]);
  }
}
