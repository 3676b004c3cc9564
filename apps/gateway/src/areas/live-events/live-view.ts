import { Readable } from 'node:stream';

/** Events that one view shows in a second; the rest is counted. */
export const SHOWN_PER_SECOND_MAX = 50;
/** A reader that is slower than this many bytes misses events rather than filling memory. */
const BUFFER_BYTES_MAX = 262_144;
const TICK_MS = 1_000;
/** Proxies close connections on which nothing comes for a minute or so. */
const KEEP_ALIVE_TICKS = 15;

/** One stream of server-sent events to one reader: a sample within bounds, that says how much it left out. */
export class LiveView extends Readable {
  private budget = SHOWN_PER_SECOND_MAX;
  private skipped = 0;
  private ticks = 0;
  private isFull = false;
  private isOver = false;
  private readonly timer: NodeJS.Timeout;

  constructor() {
    super({ highWaterMark: BUFFER_BYTES_MAX });
    this.push(': live\n\n');
    this.timer = setInterval(() => this.tick(), TICK_MS);
  }

  /** Whether there is room for another event now: what is not shown anyway need not be read. */
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

  /** Says goodbye, so that a client knows that it may come again. */
  end(): void {
    if (this.isOver) return;
    this.write('end', {});
    this.isOver = true;
    this.push(null);
    clearInterval(this.timer);
  }

  override _read(): void {
    this.isFull = false;
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.isOver = true;
    clearInterval(this.timer);
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
