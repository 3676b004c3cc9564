import type { DeliveryOwnerIds } from './delivery-unit.js';
import { FairShares, type ShareBounds } from './fair-shares.js';

/** What somebody has and can do without for now. */
export interface Spare {
  readonly owner: DeliveryOwnerIds;
  /** Bytes, or whatever is shared out. */
  readonly amount: number;
  giveUp(): void;
}

interface Waiting {
  owner: DeliveryOwnerIds;
  amount: number;
  begin: () => void;
}

/**
 * Shares out what a process has over its workspaces and destinations. Whoever finds no room waits until somebody gives back;
 * what others can spare goes first, that of the same destination before that of others.
 */
export class FairBudget {
  private readonly shares: FairShares;
  private readonly spares = new Set<Spare>();
  private readonly waiting = new Set<Waiting>();

  constructor(bounds: ShareBounds) {
    this.shares = new FairShares(bounds);
  }

  get held(): number {
    return this.shares.total;
  }

  tryTake(owner: DeliveryOwnerIds, amount: number): boolean {
    if (!this.makeRoom(owner, amount)) return false;
    this.shares.add(owner, amount);
    return true;
  }

  /** Rejects when the signal says stop. */
  async take(owner: DeliveryOwnerIds, amount: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.tryTake(owner, amount)) return;
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(waiting);
        reject(signal.reason);
      };
      const begin = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const waiting = { owner, amount, begin };
      this.waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  give(owner: DeliveryOwnerIds, amount: number): void {
    this.shares.add(owner, -amount);
    this.serve();
  }

  /** May be given up from now on, at once if somebody waits. */
  offer(spare: Spare): void {
    this.spares.add(spare);
    if (this.waiting.size > 0) this.serve();
  }

  withdraw(spare: Spare): void {
    this.spares.delete(spare);
  }

  /** In the order of asking, but for those who have their share. */
  private serve(): void {
    for (const one of this.waiting) {
      if (!this.tryTake(one.owner, one.amount)) continue;
      this.waiting.delete(one);
      one.begin();
    }
  }

  private makeRoom(owner: DeliveryOwnerIds, amount: number): boolean {
    const fits = () => this.shares.fits(owner, amount);
    if (fits()) return true;
    const isOwn = (spare: Spare) => spare.owner.destinationId === owner.destinationId;
    return this.giveUp(isOwn, fits) || this.giveUp(() => true, fits);
  }

  private giveUp(isMeant: (spare: Spare) => boolean, isEnough: () => boolean): boolean {
    for (const spare of this.spares) {
      if (!isMeant(spare)) continue;
      this.spares.delete(spare);
      this.shares.add(spare.owner, -spare.amount);
      spare.giveUp();
      if (isEnough()) return true;
    }
    return false;
  }
}
