import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type DestinationRelease, ListReleasesSince, RELEASE_PUBLISHED_SUBJECT } from '@weir/contracts';
import { NATS, Periodic, RpcClient } from '@weir/messaging';
import { Health } from '@weir/service-kit';

/** Half of the 1 s within which a publish must be live, so that a lost notification does no harm. */
const POLL_MS = 500;

/**
 * Knows the live code of each destination by polling and by notifications. Keeps the last known state while the registry is away.
 */
@Injectable()
export class ReleaseTable implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly releases = new Map<string, DestinationRelease>();
  private seen = 0;
  private readonly polls = new Periodic({
    task: 'confirm that releases are current',
    everyMs: POLL_MS,
    run: () => this.catchUp(),
    log: new Logger(ReleaseTable.name),
  });
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
    this.hint = this.nats.subscribe(RELEASE_PUBLISHED_SUBJECT, {
      callback: () => void this.polls.run(),
    });
    this.polls.start();
    void this.polls.run();
  }

  onModuleDestroy(): Promise<void> {
    this.hint?.unsubscribe();
    return this.polls.stop();
  }

  get(destinationId: string): DestinationRelease | undefined {
    return this.releases.get(destinationId);
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
