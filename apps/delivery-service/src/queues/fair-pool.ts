import { Injectable } from '@nestjs/common';
import type { DestinationRef } from '../units/delivery-unit.js';
import { FairShares, type ShareBounds } from './fair-shares.js';

/** An amount that its owner holds but can give up. */
export interface Spare {
  readonly owner: DestinationRef;
  /** In the unit of the budget, such as bytes or events. */
  readonly amount: number;
  /** Whether its owner would soon take it again. */
  isNeeded(): boolean;
  giveUp(): void;
}

interface Waiting {
  owner: DestinationRef;
  amount: number;
  begin: () => void;
}

/**
 * Shares a budget fairly among the workspaces and destinations of a process. A caller without room waits until others return
 * some. Spares are given up first: those that nobody needs soon before others, and those of the same destination before others.
 */
export class FairPool {
  private readonly shares: FairShares;
  private readonly spares = new Set<Spare>();
  private readonly waiting = new Set<Waiting>();

  constructor(bounds: ShareBounds) {
    this.shares = new FairShares(bounds);
  }

  get held(): number {
    return this.shares.total;
  }

  tryTake(owner: DestinationRef, amount: number): boolean {
    return this.makeRoom(owner, amount) && this.takeFree(owner, amount);
  }

  /** Takes the amount only if nobody has to give up a spare for it. */
  takeFree(owner: DestinationRef, amount: number): boolean {
    if (!this.shares.fits(owner, amount)) return false;
    this.shares.add(owner, amount);
    return true;
  }

  /** Takes the amount if it is free, or becomes free when the same destination gives up what it does not need soon. */
  takeUnneeded(owner: DestinationRef, amount: number): boolean {
    const isFree = () => this.shares.fits(owner, amount);
    const isMeant = (spare: Spare) => isOf(owner, spare) && !spare.isNeeded();
    return (isFree() || this.giveUp(isMeant, isFree)) && this.takeFree(owner, amount);
  }

  /** Rejects when the signal aborts. */
  async take(owner: DestinationRef, amount: number, signal: AbortSignal): Promise<void> {
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

  give(owner: DestinationRef, amount: number): void {
    this.shares.add(owner, -amount);
    this.serve();
  }

  /** Declares an amount that may be given up. Takes it immediately if somebody waits. */
  offer(spare: Spare): void {
    this.spares.add(spare);
    if (this.waiting.size > 0) this.serve();
  }

  withdraw(spare: Spare): void {
    this.spares.delete(spare);
  }

  /** Serves waiting callers in order, but skips those whose share is used up. */
  private serve(): void {
    for (const one of this.waiting) {
      if (!this.tryTake(one.owner, one.amount)) continue;
      this.waiting.delete(one);
      one.begin();
    }
  }

  private makeRoom(owner: DestinationRef, amount: number): boolean {
    const fits = () => this.shares.fits(owner, amount);
    if (fits()) return true;
    const isOwn = (spare: Spare) => isOf(owner, spare);
    const isUnneeded = (spare: Spare) => !spare.isNeeded();
    return (
      this.giveUp((spare) => isOwn(spare) && isUnneeded(spare), fits) ||
      this.giveUp(isUnneeded, fits) ||
      this.giveUp(isOwn, fits) ||
      this.giveUp(() => true, fits)
    );
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

const isOf = ({ destinationId }: DestinationRef, spare: Spare): boolean => spare.owner.destinationId === destinationId;

/**
 * Budget in bytes for messages in memory, over all destinations of a process. A parsed message takes up to twenty times its size.
 * Together with the router's 48 MiB and its calls, the process stays below 768 MiB (docs/decisions/0006-delivery-shares.md).
 */
@Injectable()
export class MessageMemory extends FairPool {
  constructor() {
    super({ commonMax: 12_582_912, ownMax: 1_048_576, max: 16_777_216 });
  }
}

/** Budget for events in lanes, over all destinations of a process. Each event takes about a kilobyte. */
@Injectable()
export class QueuedEvents extends FairPool {
  constructor() {
    super({ commonMax: 65_536, ownMax: 256, max: 98_304 });
  }
}

/**
 * Budget for attempts under way beyond those that every destination has, over all destinations of a process. Each takes a socket.
 * A destination alone gets 256 of them.
 */
@Injectable()
export class DeliverySlots extends FairPool {
  constructor() {
    super({ commonMax: 1_536, ownMax: 0, max: 1_536 });
  }
}
