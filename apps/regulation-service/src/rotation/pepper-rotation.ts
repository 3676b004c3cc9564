import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { chunksOf } from '@weir/contracts';
import { eachInTurn, failedOf, Periodic } from '@weir/messaging';
import { Database, Metrics, Pepper, PepperGuard, Sealer } from '@weir/service-kit';
import { matchIdOf } from '../regulations/regulation.rules.js';
import { Attributes, MatchKeys } from '../secrets/match-keys.js';
import {
  type RehashedRegulation,
  type ResealedText,
  replaceSealed,
  SEALED_TEXTS,
  type SealedRegulation,
  type SealedText,
  type SealedTexts,
  staleRegulations,
  staleTexts,
  storeRehashed,
} from './rotation.repository.js';

/** A process that still has the peppers in the old order writes with the old one, so rounds go on until the next start. */
const ROUND_MS = 2 * 60_000;

/**
 * Regulations of one transaction. Each may have a suppression for every source of its workspace, and others who write to the trail of
 * the workspace wait meanwhile.
 */
const STORED_AT_ONCE = 20;

/**
 * Stores everything under the first pepper of `REGULATION_PEPPER` while it lists several (docs/recovery.md). A regulation keeps the
 * sealed ids of its user, so its match key can be made anew. Several processes may do the same. A row that fails holds up no other.
 */
@Injectable()
export class PepperRotation implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(PepperRotation.name);
  private readonly left;
  private readonly rounds = new Periodic({
    task: 'store under the first pepper',
    everyMs: ROUND_MS,
    run: () => this.run(),
    log: this.logger,
  });

  constructor(
    private readonly database: Database,
    private readonly pepper: Pepper,
    private readonly guard: PepperGuard,
    private readonly keys: MatchKeys,
    private readonly attributes: Attributes,
    metrics: Metrics,
  ) {
    this.left = metrics.gauge({
      name: 'regulation_old_pepper_rows',
      help: 'Rows that the last round of a rotation could not store under the first pepper',
    });
  }

  onApplicationBootstrap(): void {
    if (!this.pepper.isRotating) return;
    this.rounds.start();
    void this.rounds.run();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.rounds.stop();
  }

  private async run(): Promise<void> {
    let left = await this.rehashAll();
    for (const texts of SEALED_TEXTS) left += await this.resealAll(texts);
    if (this.rounds.isStopped) return;
    this.left.set(left);
    // Only now may the processes start without the other peppers.
    if (left === 0) await this.guard.keepOnlyFirst();
    this.logger.log(`everything is stored under the first pepper, except ${left} rows`);
  }

  /** Returns how many regulations no pepper opens, or the database does not take. */
  private async rehashAll(): Promise<number> {
    let left = 0;
    let after: string | undefined;
    do {
      const rows = await staleRegulations(this.database, this.attributes.mark, after);
      const rehashed = rows.flatMap((row) => this.rehashed(row) ?? []);
      left += rows.length - rehashed.length;
      for (const [workspaceId, own] of Map.groupBy(rehashed, (row) => row.workspaceId)) {
        for (const some of chunksOf(own, { itemsMax: STORED_AT_ONCE })) left += await this.store(workspaceId, some);
      }
      after = rows.at(-1)?.id;
    } while (after !== undefined && !this.rounds.isStopped);
    return left;
  }

  private rehashed(row: SealedRegulation): RehashedRegulation | undefined {
    const user = this.attributes.openIfPossible(row.attributes, row);
    if (!user) return undefined;
    const newKey = this.keys.matchKey(row.workspaceId, matchIdOf(user));
    return { ...row, newKey, newAttributes: this.attributes.seal(user, row) };
  }

  private async store(workspaceId: string, rows: readonly RehashedRegulation[]): Promise<number> {
    const failed = await failedOf(rows, (some) =>
      this.database.transaction((sql) => storeRehashed(sql, workspaceId, some)),
    );
    return this.told('regulation', failed);
  }

  /** Returns how many there are. The next round tries them again. */
  private told(what: string, failed: ReadonlyMap<{ id: string }, unknown>): number {
    for (const [{ id }, error] of failed) {
      this.logger.warn(`the ${what} ${id} cannot be stored under the first pepper: ${(error as Error).message}`);
    }
    return failed.size;
  }

  /** Returns how many texts no pepper opens, or the database does not take. */
  private async resealAll(texts: SealedTexts): Promise<number> {
    const sealer = new Sealer(this.keys.derivedKey(texts.purpose));
    let left = 0;
    let after: string | undefined;
    do {
      const rows = await staleTexts(this.database, texts, sealer.mark, after);
      const readable = rows.flatMap((row) => resealed(sealer, row, texts.aad) ?? []);
      left += rows.length - readable.length;
      const store = (some: readonly ResealedText[]) =>
        eachInTurn(some, (row) => replaceSealed(this.database, texts, row));
      left += this.told(`row of ${texts.table}`, await failedOf(readable, store));
      after = rows.at(-1)?.id;
    } while (after !== undefined && !this.rounds.isStopped);
    return left;
  }
}

function resealed(sealer: Sealer, row: SealedText, aad: string): ResealedText | undefined {
  try {
    return { ...row, again: sealer.reseal(row.sealed, aad) };
  } catch {
    return undefined;
  }
}
