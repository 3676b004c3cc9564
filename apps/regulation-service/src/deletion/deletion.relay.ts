import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { flushed, NATS, OutboxRelay, type OutboxRow } from '@weir/messaging';
import { DataSource } from 'typeorm';

/** Publishes facts of the outbox on core NATS. They are only hints, so one publish is enough. */
@Injectable()
export class DeletionRelay implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly relay: OutboxRelay;

  constructor(
    dataSource: DataSource,
    @Inject(NATS) private readonly nats: NatsConnection,
  ) {
    this.relay = new OutboxRelay(dataSource, (row) => this.tell(row), new Logger(DeletionRelay.name));
  }

  onApplicationBootstrap(): void {
    this.relay.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.relay.stop();
  }

  private async tell({ topic, payload }: OutboxRow): Promise<void> {
    this.nats.publish(topic, JSON.stringify(payload));
    await flushed(this.nats);
  }
}
