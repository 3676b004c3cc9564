import { Injectable } from '@nestjs/common';
import type { DestinationRecord } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { InventoryMirror } from '@weir/inventory';
import { CodeRunner, eventMetadata, type UserOutcome } from '@weir/stages';
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
    if (!release?.versionId) return events.map(() => UNLINKED);
    const inputs = events.map(({ part, index }) => {
      const message = part?.events[index] ?? {};
      return { message, metadata: destination && part ? eventMetadata(message, { ...part, destination }) : {} };
    });
    const allowFetch = this.inventory.allowsFetch(destination?.workspaceId ?? '');
    const outcomes = await this.code.run(release, inputs, { mode: 'live', allowFetch });
    if (!isAgain) this.usedRevisions.note(release);
    if (release.onTrial && !isAgain) this.trials.count(release, outcomes);
    const { versionId } = release;
    return outcomes.map((outcome) => ({ ...outcome, versionId }));
  }
}

const namesOf = ({ type }: DestinationRecord): string[] => {
  const displayName = destinationKind(type)?.definition.displayName;
  return displayName === undefined ? [type] : [type, displayName];
};
