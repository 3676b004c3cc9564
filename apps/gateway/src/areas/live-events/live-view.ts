import { Readable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { during, Periodic } from '@weir/messaging';

/** Events per second that one view shows. It counts the rest. */
export const SHOWN_PER_SECOND_MAX = 50;
/** A reader that falls behind by this many bytes misses events instead of filling memory. */
const BUFFER_BYTES_MAX = 262_144;
const TICK_MS = 1_000;
/** Proxies close connections after about a minute without data. */
const KEEP_ALIVE_TICKS = 15;

/** One stream of server-sent events to one reader: a bounded sample that reports how many events it left out. */
export class LiveView extends Readable {
  private budget = SHOWN_PER_SECOND_MAX;
  private skipped = 0;
  private ticks = 0;
  private isFull = false;
  private isOver = false;
  private readonly ticking = new Periodic({
    task: 'tell a live view what it left out',
    everyMs: TICK_MS,
    run: () => this.tick(),
    log: new Logger(LiveView.name),
  });

  constructor() {
    super({ highWaterMark: BUFFER_BYTES_MAX });
    this.push(': live\n\n');
    this.ticking.start();
  }

  /** Whether the view can show another event now. If not, callers need not decode one. */
  get hasRoom(): boolean {
    return this.budget > 0 && !this.isFull && !this.isOver;
  }

  show(event: string, data: object): void {
    if (this.hasRoom) {
      this.budget -= 1;
      this.write(event, data);
    } else {
      this.skip(1);
    }
  }

  skip(events: number): void {
    this.skipped += events;
  }

  /** Sends a final event, so that the client knows that it may reconnect. */
  end(): void {
    if (this.isOver) return;
    this.write('end', {});
    this.isOver = true;
    this.push(null);
    void this.ticking.stop();
  }

  override _read(): void {
    this.isFull = false;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.isOver = true;
    void this.ticking.stop();
    done(error);
  }

  private tick(): void {
    this.budget = SHOWN_PER_SECOND_MAX;
    this.ticks += 1;
    if (this.isFull) return;
    if (this.skipped > 0) this.write('skipped', { events: this.skipped });
    else if (this.ticks % KEEP_ALIVE_TICKS === 0) this.push(': still here\n\n');
    this.skipped = 0;
  }

  private write(event: string, data: object): void {
    this.isFull = !this.push(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  }
}

/** Queued messages per subscription. A view is a sample, so it counts further messages as left out. */
export const WAITING_MAX = 32;

/** Runs one piece of work per turn of the event loop. A message with many batches causes many pieces at once. */
export class Turns {
  private readonly waiting: { owner: object; work: () => void }[] = [];

  /** Returns whether the work will run. */
  add(owner: object, work: () => void): boolean {
    if (this.waiting.filter((one) => one.owner === owner).length >= WAITING_MAX) return false;
    this.waiting.push({ owner, work });
    if (this.waiting.length === 1) this.schedule();
    return true;
  }

  private perform(work: () => void): void {
    try {
      during('live.show', work);
    } catch {
      // Skips unreadable messages. Only views depend on this work.
    }
  }

  private schedule(): void {
    setImmediate(() => {
      const next = this.waiting[0];
      if (next) this.perform(next.work);
      this.waiting.shift();
      if (this.waiting.length > 0) this.schedule();
    });
  }
}
