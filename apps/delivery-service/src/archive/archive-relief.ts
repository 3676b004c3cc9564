import { type ConsumerInfo, type JetStreamManager, jetstreamManager } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { EVENTS_ACCEPTED, NATS, Periodic } from '@weir/messaging';
import { Metrics } from '@weir/service-kit';
import { archiversOf, waitingFor } from './archive-lag.js';

const LOOK_MS = 5_000;
/**
 * The archive may use the stream up to here. Must be well below what one workspace may hold (`LONE_SHARE`), or its events would be
 * refused first.
 */
const FULL_SHARE = 1 / 2;
/** Below it, somebody else fills the stream, and giving up the archive would free little. */
const WAITING_SHARE = 1 / 4;

/**
 * Keeps an archive that is away from stopping the intake. The stream keeps what the archiver has not stored, so it would fill, and
 * then refuse new events. Before that, this removes the archiver's consumers. What waited for them is missing in the archive, and
 * nowhere else. The archiver makes them anew and goes on with what is in the stream then.
 */
@Injectable()
export class ArchiveRelief implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(ArchiveRelief.name);
  private readonly givenUp;
  private manager: Promise<JetStreamManager> | undefined;
  private readonly looks = new Periodic({
    task: 'keep the archive from filling the stream',
    everyMs: LOOK_MS,
    run: () => this.look(),
    log: this.logger,
  });

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    metrics: Metrics,
  ) {
    this.givenUp = metrics.counter({
      name: 'weir_archive_given_up_messages_total',
      help: 'Messages that the archive will not have, because they waited for it until the stream was nearly full',
    });
  }

  onApplicationBootstrap(): void {
    this.looks.start();
  }

  onModuleDestroy(): Promise<void> {
    return this.looks.stop();
  }

  /** Does nothing while the stream has room, or if nothing is archived. */
  async look(): Promise<void> {
    this.manager ??= jetstreamManager(this.nats, { checkAPI: false });
    const manager = await this.manager;
    const { state, config } = await manager.streams.info(EVENTS_ACCEPTED);
    if (config.max_bytes <= 0 || state.bytes < config.max_bytes * FULL_SHARE) return;
    const archivers = [...(await archiversOf(manager)).values()];
    const waiting = archivers.reduce((sum, archiver) => sum + waitingFor(archiver), 0);
    if (waiting < state.messages * WAITING_SHARE) return;
    for (const archiver of archivers) await this.giveUp(manager, archiver);
  }

  private async giveUp(manager: JetStreamManager, archiver: ConsumerInfo): Promise<void> {
    const waiting = waitingFor(archiver);
    if (waiting === 0) return;
    // another deliverer may have been faster
    if (!(await manager.consumers.delete(EVENTS_ACCEPTED, archiver.name).catch(() => false))) return;
    this.givenUp.inc(waiting);
    this.logger.error(`the stream is nearly full, so the archive does without ${waiting} messages of ${archiver.name}`);
  }
}
