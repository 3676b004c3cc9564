import { Injectable } from '@nestjs/common';
import { chunksOf, TROUBLE_WORKSPACES_MAX, type TroubleKind } from '@weir/contracts';
import { ASKED, AskedTroubles } from './asked-troubles.js';
import { OwnTroubles } from './own-troubles.js';
import { type Lead, TroubleRepository } from './trouble.repository.js';

const OWN: readonly TroubleKind[] = ['destination_failing', 'dead_letters', 'breaker_open'];
/** After so many single workspaces without an answer, the reason is none of theirs. Each may take the whole time of a call. */
const FAILURES_MAX = 2;

/** A workspace with a channel, and its thresholds. */
type Watched = [workspaceId: string, thresholds: number[]];

/** Looks for what is wrong in each workspace with a channel. It asks for states and not for changes, so no look is missed. */
@Injectable()
export class TroubleWatch {
  private latest: Promise<void> = Promise.resolve();
  /** Workspaces that nobody could answer about. They come last, or those behind them would never be looked at. */
  private readonly unanswered = new Set<string>();

  constructor(
    private readonly own: OwnTroubles,
    private readonly asked: AskedTroubles,
    private readonly troubles: TroubleRepository,
  ) {}

  /** One look at a time. A slow one would otherwise open again what a later one has seen end. */
  look(lead: Lead): Promise<void> {
    this.latest = this.latest.catch(() => undefined).then(() => this.lookNow(lead));
    return this.latest;
  }

  private async lookNow(lead: Lead): Promise<void> {
    const isLate = ([workspaceId]: Watched) => Number(this.unanswered.has(workspaceId));
    const thresholds = [...(await this.troubles.thresholds())].sort((one, other) => isLate(one) - isLate(other));
    for (const chunk of chunksOf(thresholds, { itemsMax: TROUBLE_WORKSPACES_MAX })) {
      if (!lead.goOn()) return;
      const isAnswered = await this.lookAt(chunk, lead);
      if (!isAnswered && chunk.length > 1) await this.lookAtEach(chunk, lead);
    }
  }

  /** One workspace may be so large that nobody can answer about it in time, and it must not silence the others. */
  private async lookAtEach(chunk: readonly Watched[], lead: Lead): Promise<void> {
    let failures = 0;
    for (const one of chunk) {
      if (!lead.goOn() || failures === FAILURES_MAX) return;
      if (await this.lookAt([one], lead)) continue;
      failures += 1;
      this.unanswered.add(one[0]);
    }
  }

  /** Returns whether every service answered. */
  private async lookAt(watched: readonly Watched[], lead: Lead): Promise<boolean> {
    const some = new Map(watched);
    const ids = [...some.keys()];
    const [own, { found, answered }] = await Promise.all([this.own.find(some), this.asked.find(ids)]);
    if (lead.goOn()) await this.troubles.note(ids, [...own, ...found], { answered: [...OWN, ...answered], lead });
    const isAnswered = ASKED.every((kind) => answered.includes(kind));
    if (isAnswered) for (const id of ids) this.unanswered.delete(id);
    return isAnswered;
  }
}
