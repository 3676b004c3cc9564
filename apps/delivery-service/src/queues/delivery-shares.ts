import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Periodic, type Published } from '@weir/messaging';
import type { DestinationRef } from '../units/delivery-unit.js';
import { DeliveryQueues, type MessageRef } from './delivery-queues.js';
import { FairShares } from './fair-shares.js';
import { blockOf, type ShareChange, ShareTable } from './share-table.js';

/** A message that the stream holds. */
export interface Stored extends MessageRef {
  bytes: number;
  /** An earlier write had stored it. It may be done and removed meanwhile. */
  isOld?: boolean;
}

const REFRESH_MS = 1_000;
/** Bytes that one process may write or finish before it must tell the others. */
const UNTOLD_BYTES_MAX = 4_194_304;
/** Figures older than this must be refreshed before they cause a refusal. */
const FRESH_MS = 100;
/** Limits of the shares, below the stream's own limit because counts of other processes arrive late. */
const COMMON_PART = 3 / 4;
const ALL_PART = 7 / 8;
/** Room for one message of any size, whatever other destinations hold. */
const OWN_BYTES = 1_048_576;
/** Overhead of a message in the stream: subject, headers and stream metadata. */
const OVERHEAD_BYTES = 256;

/** The broker's error when the stream, or a subject's own limit, is full (`discard_new_per_subject`). */
const FULL = /maximum (messages per subject|bytes)/;

/**
 * Tracks the waiting bytes in DELIVERIES per destination and workspace, and decides whether more may be written. Every deliverer
 * counts what it writes and finishes. Once a second, it exchanges these counts through the database and asks the broker for the
 * total (docs/decisions/0006-delivery-shares.md).
 */
@Injectable()
export class DeliveryShares implements OnApplicationBootstrap, OnModuleDestroy {
  private shares = sharesOf(0);
  /** Time of the last refresh, from `performance.now()`. */
  private readAt = Number.NEGATIVE_INFINITY;
  /** Bytes in the stream beyond the counted ones. May be negative. A killed process takes its unreported counts with it. */
  private uncounted = 0;
  private knownIds: readonly string[] = [];
  private changes = new Map<string, ShareChange>();
  private readonly underWay = new Set<{ owner: DestinationRef; bytes: number }>();
  private untold = 0;
  private readonly refreshes = new Periodic({
    task: 'confirm that shares of the stream are current',
    everyMs: REFRESH_MS,
    run: () => this.refresh(),
    log: new Logger(DeliveryShares.name),
    runsAtStop: true,
  });
  private refreshing: Promise<void> | undefined;

  constructor(
    private readonly table: ShareTable,
    private readonly queues: DeliveryQueues,
  ) {}

  onApplicationBootstrap(): void {
    this.refreshes.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.refreshes.stop();
  }

  /** Publishes if there is room. Returns undefined if the share of the destination, or the stream, is full. */
  async write(owner: DestinationRef, bytes: number, publish: () => Promise<Published>): Promise<Stored | undefined> {
    const held = { owner, bytes: bytes + OVERHEAD_BYTES };
    if (this.untold > UNTOLD_BYTES_MAX) await this.refresh();
    return (await this.fitsNow(held)) ? this.counted(held, publish) : undefined;
  }

  /** Whether there is room for a message of about this size. Saves making its text. */
  hasRoom(owner: DestinationRef, bytes: number): Promise<boolean> {
    return this.fitsNow({ owner, bytes });
  }

  /** Publishes whatever the share. Returns undefined if the stream is full. */
  writeAnyway(owner: DestinationRef, bytes: number, publish: () => Promise<Published>): Promise<Stored | undefined> {
    return this.counted({ owner, bytes: bytes + OVERHEAD_BYTES }, publish);
  }

  /** Counts a message that left the stream. */
  done(owner: DestinationRef, sequence: number, bytes: number): void {
    this.change(owner, sequence, -bytes - OVERHEAD_BYTES);
    if (this.untold > UNTOLD_BYTES_MAX) void this.refreshes.run();
  }

  /** Bytes that wait for a destination, as far as this process knows. */
  waitingFor(destinationId: string): number {
    return this.shares.of(destinationId);
  }

  /** Destinations with counted bytes. */
  get known(): readonly string[] {
    return this.knownIds;
  }

  /** Removes the counts of a destination whose queue is empty. */
  forget(destinationId: string): Promise<void> {
    return this.table.forget(destinationId);
  }

  private async counted(
    held: { owner: DestinationRef; bytes: number },
    publish: () => Promise<Published>,
  ): Promise<Stored | undefined> {
    this.underWay.add(held);
    this.shares.add(held.owner, held.bytes);
    try {
      const { sequence, duplicate, msgId: name } = await publish();
      if (!duplicate) this.change(held.owner, sequence, held.bytes);
      return { sequence, name, bytes: held.bytes - OVERHEAD_BYTES, isOld: duplicate };
    } catch (error) {
      if (isFull(error)) return undefined;
      throw error;
    } finally {
      this.underWay.delete(held);
      this.shares.add(held.owner, -held.bytes);
    }
  }

  /** Asks again before it says no. */
  private async fitsNow(held: { owner: DestinationRef; bytes: number }): Promise<boolean> {
    if (!this.fits(held) && performance.now() - this.readAt > FRESH_MS) await this.refresh();
    return this.fits(held);
  }

  private fits({ owner, bytes }: { owner: DestinationRef; bytes: number }): boolean {
    return this.shares.fits(owner, bytes, this.shares.total + this.uncounted);
  }

  private change(owner: DestinationRef, sequence: number, bytes: number): void {
    const key = `${owner.destinationId}/${blockOf(sequence)}`;
    const { workspaceId, destinationId } = owner;
    const change = this.changes.get(key) ?? { workspaceId, destinationId, block: blockOf(sequence), bytes: 0 };
    change.bytes += bytes;
    this.changes.set(key, change);
    this.shares.add(owner, bytes);
    this.untold += Math.abs(bytes);
  }

  /** Joins a refresh that is already running. */
  private refresh(): Promise<void> {
    this.refreshing ??= this.tellAndRead().finally(() => {
      this.refreshing = undefined;
    });
    return this.refreshing;
  }

  private async tellAndRead(): Promise<void> {
    const told = this.changes;
    const untold = this.untold;
    this.changes = new Map();
    try {
      await this.table.add([...told.values()]);
      this.untold -= untold;
    } catch (error) {
      for (const { block, bytes, ...owner } of told.values()) this.tellLater(owner, block, bytes);
      throw error;
    }
    const [rows, stream] = [await this.table.read(), await this.queues.size()];
    this.readAt = performance.now();
    this.shares = sharesOf(stream.bytesMax);
    for (const row of rows) this.shares.add(row, row.bytes);
    this.uncounted = stream.bytes - this.shares.total;
    this.knownIds = rows.map(({ destinationId }) => destinationId);
    for (const change of this.changes.values()) this.shares.add(change, change.bytes);
    for (const { owner, bytes } of this.underWay) this.shares.add(owner, bytes);
  }

  private tellLater(owner: DestinationRef, block: number, bytes: number): void {
    const key = `${owner.destinationId}/${block}`;
    const later = this.changes.get(key);
    if (later) later.bytes += bytes;
    else this.changes.set(key, { ...owner, block, bytes });
  }
}

const sharesOf = (streamBytes: number): FairShares =>
  new FairShares({ commonMax: streamBytes * COMMON_PART, max: streamBytes * ALL_PART, ownMax: OWN_BYTES });

const isFull = (error: unknown): boolean =>
  error instanceof Error && error.cause instanceof Error && FULL.test(error.cause.message);
