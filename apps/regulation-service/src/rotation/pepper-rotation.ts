import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Periodic } from '@weir/messaging';
import { Database, Metrics, Pepper, PepperGuard, Sealer } from '@weir/service-kit';
import { matchIdOf } from '../regulations/regulation.rules.js';
import { Attributes, MatchKeys } from '../secrets/match-keys.js';
import {
  type RehashedRegulation,
  replaceSealed,
  SEALED_TEXTS,
  type SealedRegulation,
  type SealedTexts,
  staleRegulations,
  staleTexts,
  storeRehashed,
} from './rotation.repository.js';

/** A process that still has the peppers in the old order writes with the old one, so rounds go on until the next start. */
const ROUND_MS = 2 * 60_000;

/**
 * Stores everything under the first pepper of `REGULATION_PEPPER` while it lists several (docs/recovery.md). A regulation keeps the
 * sealed ids of its user, so its match key can be made anew. Several processes may do the same.
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

  /** Returns how many regulations no pepper opens. */
  private async rehashAll(): Promise<number> {
    let left = 0;
    let after: string | undefined;
    do {
      const rows = await staleRegulations(this.database, this.attributes.mark, after);
      const rehashed = rows.flatMap((row) => this.rehashed(row) ?? []);
      for (const [workspaceId, some] of Map.groupBy(rehashed, (row) => row.workspaceId)) {
        await this.database.transaction((sql) => storeRehashed(sql, workspaceId, some));
      }
      left += rows.length - rehashed.length;
      after = rows.at(-1)?.id;
    } while (after !== undefined && !this.rounds.isStopped);
    return left;
  }

  private rehashed(row: SealedRegulation): RehashedRegulation | undefined {
    try {
      const user = this.attributes.open(row.attributes, row);
      const newKey = this.keys.matchKey(row.workspaceId, matchIdOf(user));
      return { ...row, newKey, newAttributes: this.attributes.seal(user, row) };
    } catch {
      return undefined;
    }
  }

  /** Returns how many texts no pepper opens. */
  private async resealAll(texts: SealedTexts): Promise<number> {
    const sealer = new Sealer(this.keys.derivedKey(texts.purpose));
    let left = 0;
    let after: string | undefined;
    do {
      const rows = await staleTexts(this.database, texts, sealer.mark, after);
      for (const { id, sealed } of rows) {
        const again = resealed(sealer, sealed, texts.aad);
        if (again === undefined) left += 1;
        else await replaceSealed(this.database, texts, { id, sealed, again });
      }
      after = rows.at(-1)?.id;
    } while (after !== undefined && !this.rounds.isStopped);
    return left;
  }
}

function resealed(sealer: Sealer, sealed: string, aad: string): string | undefined {
  try {
    return sealer.reseal(sealed, aad);
  } catch {
    return undefined;
  }
}
