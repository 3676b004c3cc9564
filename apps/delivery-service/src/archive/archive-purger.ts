import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { identifiersOf } from '@weir/contracts';
import { isUnreadable, removeLines } from '@weir/destinations';
import { Periodic } from '@weir/messaging';
import { ArchivePurgeRepository, type PurgeTurn } from './archive-purge.repository.js';
import { ArchiveStore } from './archive-store.js';
import { archivedIn } from './archived-event.js';
import { workspaceFolder } from './segment-name.js';

const POLL_MS = 500;
/** How often the place is kept. A kill repeats this much. */
const KEEP_MS = 1_000;
/** Purges take turns of this length, so a large archive delays the users of another workspace by no more. */
const TURN_MS = 10_000;

/** Rewrites the segments of a workspace without the events of users who are deleted. */
@Injectable()
export class ArchivePurger implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ArchivePurger.name);
  private readonly rounds = new Periodic({
    task: 'delete users from the archive',
    everyMs: POLL_MS,
    run: () => this.workAll(),
    log: this.logger,
  });

  constructor(
    private readonly purges: ArchivePurgeRepository,
    private readonly store: ArchiveStore,
  ) {}

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.rounds.stop();
  }

  private async workAll(): Promise<void> {
    while (!this.rounds.isStopped) {
      const turn = await this.purges.take();
      if (!turn) return;
      try {
        await this.walk(turn);
      } catch (error) {
        this.logger.warn(`a deletion waits for the archive: ${(error as Error).message}`);
        await this.purges.fail(turn);
      }
    }
  }

  /** Reads each segment as a stream, and writes only those that hold a user. */
  private async walk(turn: PurgeTurn): Promise<void> {
    const identifiers = new Set(turn.identifiers);
    const isGone = (line: Buffer) => {
      const archived = archivedIn(line);
      return archived !== undefined && identifiersOf(archived.event).some((one) => identifiers.has(one));
    };
    const startedAt = performance.now();
    let keptAt = startedAt;
    for await (const { name } of this.store.segments(workspaceFolder(turn.workspaceId), turn.after)) {
      if (!(await this.rewrite(name, isGone))) turn.unreadable += 1;
      if (!this.rounds.isStopped && performance.now() - keptAt < KEEP_MS) continue;
      keptAt = performance.now();
      if (!(await this.purges.keep(turn, name))) return;
      if (this.rounds.isStopped || keptAt - startedAt > TURN_MS) return this.purges.giveBack(turn);
    }
    await this.purges.end(turn);
  }

  /** False if the segment cannot be read. It stays as it is, and the others are rewritten all the same. */
  private async rewrite(name: string, isGone: (line: Buffer) => boolean): Promise<boolean> {
    try {
      await removeLines(this.store.bucket, this.store.keyOf(name), isGone);
      return true;
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      this.logger.warn(`the segment ${name} cannot be read: ${(error as Error).message}`);
      return false;
    }
  }
}
