import { Injectable } from '@nestjs/common';
import { type DestinationRecord, eventMetadata } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { InventoryMirror } from '@weir/inventory';
import { CodeRunner, type UserOutcome } from '@weir/stages';
import type { DestinationPart } from '../units/delivery-unit.js';
import { isWanted } from './integrations.js';
import { ReleaseTable } from './release-table.js';
import { Trials } from './trials.js';
import { UsedRevisions } from './used-revisions.js';

/** An event of a part. `part` is missing if the message is no longer in memory. */
export interface LiveEvent {
  part: DestinationPart | undefined;
  index: number;
}

/** The outcome of user code, with the version that ran. Code never sees an `unwanted` event. */
export type LiveCodeOutcome = (UserOutcome & { versionId?: string }) | typeof UNWANTED;
/** The client does not want the event at this destination. */
const UNWANTED = { status: 'unwanted' } as const;
const UNLINKED = { status: 'unlinked' } as const;

/** Runs the code that is live for a destination, and keeps the statistics of it. */
@Injectable()
export class LiveCode {
  constructor(
    private readonly inventory: InventoryMirror,
    private readonly releases: ReleaseTable,
    private readonly code: CodeRunner,
    private readonly usedRevisions: UsedRevisions,
    private readonly trials: Trials,
  ) {}

  /** Returns one outcome per event, in order. `isAgain` marks events that statistics already include. */
  async run(destinationId: string, events: LiveEvent[], options: { isAgain: boolean }): Promise<LiveCodeOutcome[]> {
    await this.releases.loaded;
    const destination = this.inventory.destination(destinationId);
    const names = destination ? namesOf(destination) : [];
    const wanted = new Set(events.filter(({ part, index }) => isWanted(part?.events[index] ?? {}, names)));
    const outcomes = (await this.runWanted(destination, [...wanted], options)).values();
    return events.map((event) => (wanted.has(event) ? (outcomes.next().value ?? UNLINKED) : UNWANTED));
  }

  private async runWanted(
    destination: DestinationRecord | undefined,
    events: LiveEvent[],
    { isAgain }: { isAgain: boolean },
  ): Promise<LiveCodeOutcome[]> {
    // skip the code of a disabled destination, because its events are dropped when their turn comes
    const release = destination?.enabled ? this.releases.get(destination.id) : undefined;
    if (!destination || !release?.versionId) return events.map(() => UNLINKED);
    const allowFetch = this.inventory.allowsFetch(destination.workspaceId);
    const outcomes = new Map<LiveEvent, UserOutcome>();
    // a run sees events of one source only, because code may keep state or read them as one batch (user-code.md)
    const runs = [...Map.groupBy(events, ({ part }) => part?.sourceId).values()].map(async (ofSource) => {
      const inputs = ofSource.map((event) => this.inputOf(event, destination));
      const found = await this.code.run(release, inputs, { mode: 'live', allowFetch });
      for (const [index, event] of ofSource.entries()) outcomes.set(event, found[index] ?? UNLINKED);
    });
    await Promise.all(runs);
    const inOrder = events.map((event) => outcomes.get(event) ?? UNLINKED);
    if (!isAgain) this.usedRevisions.note(release);
    if (release.onTrial && !isAgain) this.trials.count(release, inOrder);
    const { versionId } = release;
    return inOrder.map((outcome) => ({ ...outcome, versionId }));
  }

  private inputOf({ part, index }: LiveEvent, destination: DestinationRecord) {
    const message = part?.events[index] ?? {};
    if (!part) return { message, metadata: {} };
    const { workspaceId, sourceId } = part;
    const source = this.inventory.source(sourceId) ?? { id: sourceId };
    return { message, metadata: eventMetadata(message, { workspaceId, source, destination }) };
  }
}

const namesOf = ({ type }: DestinationRecord): string[] => {
  const displayName = destinationKind(type)?.definition.displayName;
  return displayName === undefined ? [type] : [type, displayName];
};
