import { Injectable } from '@nestjs/common';
import { chunksOf, TROUBLE_WORKSPACES_MAX, type TroubleKind } from '@weir/contracts';
import { AskedTroubles } from './asked-troubles.js';
import { OwnTroubles } from './own-troubles.js';
import { type Lead, TroubleRepository } from './trouble.repository.js';

const OWN: readonly TroubleKind[] = ['destination_failing', 'dead_letters', 'breaker_open'];

/** Looks for what is wrong in each workspace with a channel. It asks for states and not for changes, so no look is missed. */
@Injectable()
export class TroubleWatch {
  private latest: Promise<void> = Promise.resolve();

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
    const thresholds = [...(await this.troubles.thresholds())];
    for (const chunk of chunksOf(thresholds, { itemsMax: TROUBLE_WORKSPACES_MAX })) {
      if (!lead.goOn()) return;
      const some = new Map(chunk);
      const ids = [...some.keys()];
      const [own, { found, answered }] = await Promise.all([this.own.find(some), this.asked.find(ids)]);
      if (lead.goOn()) await this.troubles.note(ids, [...own, ...found], { answered: [...OWN, ...answered], lead });
    }
  }
}
