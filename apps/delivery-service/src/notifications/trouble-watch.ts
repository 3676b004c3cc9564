import { Injectable } from '@nestjs/common';
import { TROUBLE_WORKSPACES_MAX, type TroubleKind } from '@weir/contracts';
import { AskedTroubles } from './asked-troubles.js';
import { OwnTroubles } from './own-troubles.js';
import { TroubleRepository } from './trouble.repository.js';

const OWN: readonly TroubleKind[] = ['destination_failing', 'dead_letters', 'breaker_open'];

/** Looks for what is wrong in each workspace with a channel. It asks for states and not for changes, so no look is missed. */
@Injectable()
export class TroubleWatch {
  constructor(
    private readonly own: OwnTroubles,
    private readonly asked: AskedTroubles,
    private readonly troubles: TroubleRepository,
  ) {}

  /** `goOn` ends a look early: another process may be about to lead. */
  async look(goOn: () => boolean): Promise<void> {
    const thresholds = [...(await this.troubles.thresholds())];
    for (let at = 0; at < thresholds.length && goOn(); at += TROUBLE_WORKSPACES_MAX) {
      const some = new Map(thresholds.slice(at, at + TROUBLE_WORKSPACES_MAX));
      const ids = [...some.keys()];
      const [own, { found, answered }] = await Promise.all([this.own.find(some), this.asked.find(ids)]);
      if (goOn()) await this.troubles.note(ids, [...own, ...found], [...OWN, ...answered]);
    }
  }
}
