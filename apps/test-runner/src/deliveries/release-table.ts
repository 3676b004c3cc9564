import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type DestinationRelease, ListReleasesSince, RELEASE_PUBLISHED_SUBJECT } from '@weir/contracts';
import { NATS, RpcClient } from '@weir/messaging';

/** A publish has to be live within 1 s of its answer, also when the fact about it is lost. */
const POLL_MS = 500;

/** Which code is live for each destination, kept current by asking and by facts. The last known stays while nobody answers. */
@Injectable()
export class ReleaseTable {
  private readonly logger = new Logger(ReleaseTable.name);
  private readonly releases = new Map<string, DestinationRelease>();
  private seen = 0;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private hint: Subscription | undefined;
  private markLoaded: () => void = () => undefined;
  /** Settles when every release of that moment is known; nothing may be delivered before. */
  readonly loaded = new Promise<void>((resolve) => {
    this.markLoaded = resolve;
  });
  isLoaded = false;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
  ) {}

  start(): void {
    this.hint = this.nats.subscribe(RELEASE_PUBLISHED_SUBJECT, { callback: () => this.poll() });
    this.poll();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.hint?.unsubscribe();
    await this.polling;
  }

  get(destinationId: string): DestinationRelease | undefined {
    return this.releases.get(destinationId);
  }

  /** One round at a time; a hint that comes during a round is served by another one right after it. */
  private poll(): void {
    clearTimeout(this.timer);
    const round = (this.polling ?? Promise.resolve())
      .then(() => (this.stopped ? undefined : this.catchUp()))
      .catch((error: Error) => this.logger.warn(`releases are not known to be current: ${error.message}`))
      .finally(() => {
        if (this.polling !== round || this.stopped) return;
        this.polling = undefined;
        this.timer = setTimeout(() => this.poll(), POLL_MS);
      });
    this.polling = round;
  }

  private async catchUp(): Promise<void> {
    for (let more = true; more; ) {
      const page = await this.rpc.send(ListReleasesSince, { after: this.seen });
      for (const release of page.releases) this.put(release);
      more = page.more && page.releases.length > 0;
    }
    this.isLoaded = true;
    this.markLoaded();
  }

  private put(release: DestinationRelease): void {
    this.seen = Math.max(this.seen, release.release);
    const known = this.releases.get(release.destinationId);
    if (!known || known.release < release.release) this.releases.set(release.destinationId, release);
  }
}
