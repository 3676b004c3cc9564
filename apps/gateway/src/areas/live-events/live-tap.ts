import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Logger } from '@nestjs/common';
import { onMessage, Periodic, unpackBatches } from '@weir/messaging';
import type { Principal } from '../../http/principal.js';
import type { LiveQuery } from './live-event.schemas.js';
import { type LiveView, Turns } from './live-view.js';

/**
 * Bytes per second that all views of a workspace take from the broker in one process. They share the connection that carries calls
 * and acknowledgements, and show few of their events anyway.
 */
export const TAPPED_BYTES_PER_SECOND = 2_097_152;
const TICK_MS = 1_000;

/** A view with the query and the caller that it was opened with. */
export interface Watcher {
  view: LiveView;
  query: LiveQuery;
  caller: Principal;
}

/** Messages that views show. `read` reads one line of a message, once for all views, and returns how to show it to one of them. */
export interface Feed {
  subject: string;
  read(line: Uint8Array): ((watcher: Watcher) => void) | undefined;
}

/** The subscriptions of all views: one for each subject, however many views show it. */
export class LiveTaps {
  private readonly taps = new Map<string, Tap>();
  private readonly turns = new Turns();

  constructor(private readonly nats: NatsConnection) {}

  /** Returns how to leave. */
  add(watcher: Watcher, feeds: readonly Feed[]): () => void {
    const { workspaceId } = watcher.caller;
    for (const feed of feeds) {
      const tap = this.taps.get(feed.subject) ?? new Tap(workspaceId, feed, this.nats, this.turns, this.shareOf);
      this.taps.set(feed.subject, tap);
      tap.watchers.add(watcher);
    }
    return () => {
      for (const { subject } of feeds) this.leave(subject, watcher);
    };
  }

  private leave(subject: string, watcher: Watcher): void {
    const tap = this.taps.get(subject);
    tap?.watchers.delete(watcher);
    if (tap?.watchers.size !== 0) return;
    tap.close();
    this.taps.delete(subject);
  }

  /** Equal parts: a busy source hides no quiet one that somebody watches. */
  private readonly shareOf = (workspaceId: string): number => {
    const siblings = [...this.taps.values()].filter((tap) => tap.workspaceId === workspaceId);
    return TAPPED_BYTES_PER_SECOND / Math.max(1, siblings.length);
  };
}

/** One subscription, which ends for the rest of a second once its bytes are used up. */
class Tap {
  readonly watchers = new Set<Watcher>();
  private bytesLeft: number;
  private subscription: Subscription | undefined;
  private readonly ticking = new Periodic({
    task: 'let live views take more',
    everyMs: TICK_MS,
    run: () => this.tick(),
    log: new Logger(LiveTaps.name),
  });

  constructor(
    readonly workspaceId: string,
    private readonly feed: Feed,
    private readonly nats: NatsConnection,
    private readonly turns: Turns,
    private readonly shareOf: (workspaceId: string) => number,
  ) {
    this.bytesLeft = shareOf(workspaceId);
    this.subscribe();
    this.ticking.start();
  }

  close(): void {
    this.pause();
    void this.ticking.stop();
  }

  private subscribe(): void {
    this.subscription = this.nats.subscribe(this.feed.subject, {
      callback: onMessage(({ data }) => this.take(data)),
    });
  }

  private pause(): void {
    this.subscription?.unsubscribe();
    this.subscription = undefined;
  }

  /** The last message of a second may be larger than what is left. The next seconds make up for it. */
  private tick(): void {
    const share = this.shareOf(this.workspaceId);
    this.bytesLeft = Math.min(share, this.bytesLeft + share);
    if (!this.subscription && this.bytesLeft > 0) this.subscribe();
  }

  private take(data: Uint8Array): void {
    if (this.bytesLeft <= 0) {
      this.pause();
      this.skip(1);
      return;
    }
    this.bytesLeft -= data.length;
    const lines = unpackBatches(data);
    const firstLeft = lines.findIndex((line) => !this.isTaken(line));
    if (firstLeft !== -1) this.skip(lines.length - firstLeft);
  }

  /** Each line has its own turn, if any view has room. */
  private isTaken(line: Uint8Array): boolean {
    const hasRoom = [...this.watchers].some(({ view }) => view.hasRoom);
    return hasRoom && this.turns.add(this, () => this.show(line));
  }

  private show(line: Uint8Array): void {
    const show = this.feed.read(line);
    if (show) for (const watcher of this.watchers) show(watcher);
  }

  private skip(events: number): void {
    for (const { view } of this.watchers) view.skip(events);
  }
}
