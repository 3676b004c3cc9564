import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, Database, Metrics } from '@weir/service-kit';
import { LRUCache } from 'lru-cache';
import type { CollectorConfig } from '../config.js';
import { StoredBytesRepository, type WorkspaceBytes } from '../statistics/stored-bytes.repository.js';

/** How long an answer of the database is believed: less the fuller the workspace is, because it may be over its budget sooner. */
const BELIEVED_MS = 60_000;
const BELIEVED_LEAST_MS = 1_000;
/** Workspaces whose size a collector remembers, about 200 bytes each. */
const WORKSPACES_MAX = 10_000;

interface Known {
  /** As the database said last. */
  bytes: number;
  askedAt: number;
}

/**
 * Knows which workspaces store more than they may (docs/decisions/0068-what-statistics-may-take.md). Asks in the background, so that no
 * flush waits for a sum. Until the answer comes, what was known before holds.
 */
@Injectable()
export class WorkspaceBudget {
  /** Called after a workspace went over its budget. */
  onOver: () => void = () => undefined;
  private readonly logger = new Logger(WorkspaceBudget.name);
  private readonly known = new LRUCache<string, Known>({ max: WORKSPACES_MAX });
  private asking: Promise<void> = Promise.resolve();

  constructor(
    private readonly dataSource: Database,
    private readonly storedBytes: StoredBytesRepository,
    @Inject(CONFIG) private readonly config: Pick<CollectorConfig, 'workspaceBytesMax'>,
    metrics: Metrics,
  ) {
    const over = () => this.over;
    metrics.gauge({
      name: 'schema_workspaces_over_budget',
      help: 'Workspaces that store more statistics, versions and schemas than they may, as this collector knows',
      collect() {
        this.set(over().length);
      },
    });
  }

  /** Workspaces that are known to be over their budget. */
  get over(): string[] {
    return [...this.known.keys()].filter((workspaceId) => this.isOver(workspaceId));
  }

  /** Resolves when no question is open. */
  get asked(): Promise<void> {
    return this.asking;
  }

  /** Those of the workspaces that are over their budget. Asks about each once a minute, and more often if it is nearly full. */
  overOf(workspaceIds: Iterable<string>): Set<string> {
    const distinct = new Set(workspaceIds);
    const askedAt = performance.now();
    const due = [...distinct].filter((id) => this.isDue(this.known.get(id), askedAt));
    for (const id of due) this.known.set(id, { bytes: this.known.peek(id)?.bytes ?? 0, askedAt });
    if (due.length > 0) this.asking = this.asking.then(() => this.ask(due)).catch((error) => this.tell(error));
    return new Set([...distinct].filter((id) => this.isOver(id)));
  }

  /** Learns what workspaces store now. */
  async ask(workspaceIds: readonly string[]): Promise<void> {
    const found = await this.storedBytes.ofWorkspaces(this.dataSource, workspaceIds);
    for (const workspace of found) this.learn(workspace);
  }

  /** Tells of each transition once. */
  learn({ workspaceId, bytes }: WorkspaceBytes): void {
    const [wasOver, isOver] = [this.isOver(workspaceId), bytes > this.config.workspaceBytesMax];
    this.known.set(workspaceId, { bytes, askedAt: performance.now() });
    if (wasOver === isOver) return;
    const stores = `workspace ${workspaceId} stores ${bytes} bytes of statistics and schemas`;
    if (isOver) this.logger.warn(`${stores}, more than its budget: its events are only counted`);
    else this.logger.log(`${stores}, within its budget again`);
    if (isOver) this.onOver();
  }

  private isOver(workspaceId: string): boolean {
    return (this.known.peek(workspaceId)?.bytes ?? 0) > this.config.workspaceBytesMax;
  }

  private isDue(known: Known | undefined, now: number): boolean {
    if (!known) return true;
    const free = 1 - known.bytes / this.config.workspaceBytesMax;
    // Nothing grows while there is no room, so the answer has time.
    const believedMs = free < 0 ? BELIEVED_MS : Math.max(BELIEVED_LEAST_MS, free * BELIEVED_MS);
    return now - known.askedAt >= believedMs;
  }

  private tell(error: Error): void {
    this.logger.warn(`cannot ask what workspaces store: ${error.message}`);
  }
}
