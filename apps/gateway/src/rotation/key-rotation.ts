import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import {
  channelAad,
  credentialAad,
  isAway,
  ListChannels,
  ListCredentials,
  ResealChannel,
  ResealCredential,
} from '@weir/contracts';
import { Periodic, RpcClient } from '@weir/messaging';
import { CONFIG, Database, destinationAad, Metrics, Sealer } from '@weir/service-kit';
import type { Config } from '../config.js';
import { tellChange } from '../inventory/inventory.relay.js';
import { KeysEnd } from './keys-end.js';

/** A gateway that still has the keys in the old order may seal with the old one, so rounds go on until the next start. */
const ROUND_MS = 2 * 60_000;
const PAGE_ROWS = 100;

interface SealedDestination {
  id: string;
  workspaceId: string;
  sealedConfig: string;
}

/**
 * Seals everything with the first key of `WEIR_ENCRYPTION_KEY` while it lists several (docs/recovery.md). Only the gateway knows
 * what belongs to whom, so it also does this for values that other services store. Each value is replaced only if nobody has
 * changed it since, so several gateways may do the same.
 */
@Injectable()
export class KeyRotation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(KeyRotation.name);
  private readonly sealer: Sealer;
  private readonly left;
  private readonly rounds = new Periodic({
    task: 'seal with the first key',
    everyMs: ROUND_MS,
    run: () => this.run(),
    log: this.logger,
  });

  constructor(
    private readonly database: Database,
    private readonly rpc: RpcClient,
    metrics: Metrics,
    @Inject(CONFIG) { encryptionKey }: Pick<Config, 'encryptionKey'>,
  ) {
    this.sealer = new Sealer(encryptionKey);
    this.left = metrics.gauge({
      name: 'weir_sealed_with_old_keys',
      help: 'Values that the last round of a key rotation could not seal with the first key. At 0, the other keys can go. NaN before',
    });
    this.left.set(Number.NaN);
  }

  onApplicationBootstrap(): void {
    if (!this.sealer.isRotating) return;
    this.rounds.start();
    void this.rounds.run();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  /** Seals what an older key sealed, and tells how much was left. */
  private async run(): Promise<void> {
    let left = 0;
    for await (const destination of this.pages<SealedDestination>(DESTINATIONS_SQL, [this.sealer.mark])) {
      left += await this.replace(destination.sealedConfig, destinationAad(destination), (to) =>
        this.replaceConfig(destination, to),
      );
    }
    for await (const { id: workspaceId } of this.pages<{ id: string }>(WORKSPACES_SQL)) {
      if (this.rounds.isStopped) return;
      left += await this.ofOtherServices(workspaceId).catch((error: Error) => {
        if (isAway(error)) throw error; // it is away for every workspace
        this.logger.warn(`the values of workspace ${workspaceId} stay with their keys: ${error.message}`);
        return 1;
      });
    }
    this.left.set(left);
    this.logger.log(`sealed with the first key, except ${left} values`);
  }

  private async ofOtherServices(workspaceId: string): Promise<number> {
    let left = 0;
    for (const { key, sealedValue: from } of (await this.rpc.send(ListCredentials, { workspaceId })).credentials) {
      left += await this.replace(from, credentialAad(workspaceId, key), (to) =>
        this.rpc.send(ResealCredential, { workspaceId, key, from, to }),
      );
    }
    for (const { id, sealedSettings: from } of (await this.rpc.send(ListChannels, { workspaceId })).channels) {
      left += await this.replace(from, channelAad(workspaceId, id), (to) =>
        this.rpc.send(ResealChannel, { workspaceId, id, from, to }),
      );
    }
    return left;
  }

  /** Returns 1 if no known key opens the text, otherwise 0. */
  private async replace(sealed: string, aad: string, store: (to: string) => Promise<unknown>): Promise<0 | 1> {
    if (sealed.startsWith(this.sealer.mark)) return 0;
    let again: string;
    try {
      again = this.sealer.reseal(sealed, aad);
    } catch {
      return 1;
    }
    await store(again);
    return 0;
  }

  /** The bucket shows the new text too, because other processes will not know the old key for long. */
  private replaceConfig({ id, workspaceId, sealedConfig }: SealedDestination, to: string): Promise<void> {
    return this.database.transaction(async (tx) => {
      const sql = 'UPDATE destinations SET sealed_config = $3 WHERE id = $1 AND sealed_config = $2';
      const { count } = await tx.run(sql, [id, sealedConfig, to]);
      if (count > 0) await tellChange(tx, { kind: 'destination', id }, workspaceId);
    });
  }

  /** Rows by id. The first parameter of the statement is the id after which a page begins. */
  private async *pages<Row extends { id: string }>(sql: string, parameters: unknown[] = []): AsyncGenerator<Row> {
    let after: string | undefined = '';
    while (after !== undefined && !this.rounds.isStopped) {
      const { rows }: { rows: Row[] } = await this.database.run<Row>(`${sql} ORDER BY id LIMIT ${PAGE_ROWS}`, [
        after,
        ...parameters,
      ]);
      yield* rows;
      after = rows.at(-1)?.id;
    }
  }
}

const DESTINATIONS_SQL = `SELECT id, workspace_id AS "workspaceId", sealed_config AS "sealedConfig" FROM destinations
  WHERE id > $1 AND NOT starts_with(sealed_config, $2)`;
const WORKSPACES_SQL = 'SELECT id FROM workspaces WHERE id > $1';

@Module({ providers: [KeyRotation, KeysEnd] })
export class KeyRotationModule {}
