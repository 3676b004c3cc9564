import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PARTITIONS } from '@weir/contracts';
import { LeaseTable, NATS, PartitionConsumers } from '@weir/messaging';
import { Metrics, observeLag } from '@weir/service-kit';
import { DataSource } from 'typeorm';
import { BatchFilter } from './batch-filter.js';

/** This process's share of the partitions of EVENTS_RAW. */
@Injectable()
export class FilterService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly consumers: PartitionConsumers;

  constructor(@Inject(NATS) nats: NatsConnection, dataSource: DataSource, filter: BatchFilter, metrics: Metrics) {
    this.consumers = new PartitionConsumers({
      nats,
      role: 'filter',
      leases: new LeaseTable(dataSource, { role: 'filter', slots: PARTITIONS }),
      handle: (messages) => filter.filter(messages),
      log: new Logger(FilterService.name),
    });
    observeLag(metrics, () => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.stop();
  }
}
