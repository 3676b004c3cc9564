import { Injectable, Logger } from '@nestjs/common';
import { ListOverdueDeletions, ListRollbacks, ListSourceActivity, type TroubleKind } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { RpcClient } from '@weir/messaging';
import { SourceSilences } from './source-silences.js';
import type { FoundTrouble } from './trouble.js';

/** The kinds that other services know about, by service. */
const KINDS = {
  registry: ['rollback'],
  regulation: ['deletion_overdue'],
  schemas: ['source_silent', 'new_events', 'schema_drift'],
} satisfies Record<string, TroubleKind[]>;
/** All of them. */
export const ASKED: readonly TroubleKind[] = Object.values(KINDS).flat();

/** The troubles that were found, and the kinds that a service answered about. */
export interface Answers {
  found: FoundTrouble[];
  answered: TroubleKind[];
}

/** Asks the other services what is wrong. They keep it, so a question that fails or is never asked loses nothing. */
@Injectable()
export class AskedTroubles {
  private readonly logger = new Logger(AskedTroubles.name);

  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryMirror,
    private readonly silences: SourceSilences,
  ) {}

  async find(workspaceIds: string[]): Promise<Answers> {
    const answers = await Promise.all([
      this.ask(KINDS.registry, () => this.rollbacks(workspaceIds)),
      this.ask(KINDS.regulation, () => this.overdue(workspaceIds)),
      this.ask(KINDS.schemas, () => this.sources(workspaceIds)),
    ]);
    return { found: answers.flatMap(({ found }) => found), answered: answers.flatMap(({ answered }) => answered) };
  }

  private async ask(kinds: TroubleKind[], question: () => Promise<FoundTrouble[]>): Promise<Answers> {
    try {
      return { found: await question(), answered: kinds };
    } catch (error) {
      this.logger.warn(`no service answered about ${kinds.join(', ')}: ${(error as Error).message}`);
      return { found: [], answered: [] };
    }
  }

  private async rollbacks(workspaceIds: string[]): Promise<FoundTrouble[]> {
    const { rollbacks } = await this.rpc.send(ListRollbacks, { workspaceIds });
    return rollbacks.map(({ workspaceId, transformationId: resourceId, name, at }) => ({
      ...{ workspaceId, kind: 'rollback', resourceId, name, at },
    }));
  }

  private async overdue(workspaceIds: string[]): Promise<FoundTrouble[]> {
    const { overdue } = await this.rpc.send(ListOverdueDeletions, { workspaceIds });
    return overdue.map(({ workspaceId, destinationId: resourceId, count }) => ({
      ...{ workspaceId, kind: 'deletion_overdue', resourceId, count },
      name: this.inventory.destination(resourceId)?.name,
    }));
  }

  private async sources(workspaceIds: string[]): Promise<FoundTrouble[]> {
    const { sources } = await this.rpc.send(ListSourceActivity, { workspaceIds });
    // the key is a credential, so it ends here
    const known = sources.flatMap(({ writeKey, ...activity }) => {
      const source = this.inventory.sourceByWriteKey(writeKey);
      return source ? [{ ...activity, source }] : [];
    });
    const active = known.map(({ workspaceId, lastSeen, source: { id: sourceId } }) => ({
      ...{ workspaceId, sourceId, lastSeen: new Date(lastSeen) },
    }));
    const silent = await this.silences.look(active);
    return known.flatMap(({ workspaceId, source: { id: resourceId, name, enabled }, newEvents, drift }) => {
      const about = { workspaceId, resourceId, name };
      const found: FoundTrouble[] = [];
      if (enabled && silent.has(resourceId)) found.push({ ...about, kind: 'source_silent' });
      if (newEvents) found.push({ ...about, kind: 'new_events', ...newEvents });
      if (drift) found.push({ ...about, kind: 'schema_drift', ...drift });
      return found;
    });
  }
}
