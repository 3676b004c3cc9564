import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type DestinationRelease, ListReleasesSince, RELEASE_PUBLISHED_SUBJECT } from '@weir/contracts';
import { NATS, RpcClient } from '@weir/messaging';
import { Health } from '@weir/service-kit';

/** Half of the 1 s within which a publish must be live, so that a lost notification does no harm. */
const POLL_MS = 500;

/**
 * Knows the live code of each destination by polling and by notifications. Keeps the last known state while the registry is away.
 */
@Injectable()
export class ReleaseTable implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ReleaseTable.name);
  private readonly releases = new Map<string, DestinationRelease>();
  private seen = 0;
  private stopped = false;
  private timer: NodeJS.Timeout | undefined;
  private polling: Promise<void> | undefined;
  private hint: Subscription | undefined;
  private markLoaded: () => void = () => undefined;
  /** Resolves after the first full load. Nothing may be delivered before. */
  readonly loaded = new Promise<void>((resolve) => {
    this.markLoaded = resolve;
  });
  private isLoaded = false;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly rpc: RpcClient,
    health: Health,
  ) {
    health.register('releases', () => (this.isLoaded ? undefined : 'not loaded yet'));
  }

  onApplicationBootstrap(): void {
    this.hint = this.nats.subscribe(RELEASE_PUBLISHED_SUBJECT, { callback: () => this.poll() });
    this.poll();
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    this.hint?.unsubscribe();
    await this.polling;
  }

  get(destinationId: string): DestinationRelease | undefined {
    return this.releases.get(destinationId);
  }

  /** Runs one poll at a time. A notification during a poll starts another right after it. */
  private poll(): void {
    clearTimeout(this.timer);
    const round = (this.polling ?? Promise.resolve())
      .then(() => (this.stopped ? undefined : this.catchUp()))
      .catch((error: Error) => this.logger.warn(`cannot confirm that releases are current: ${error.message}`))
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
