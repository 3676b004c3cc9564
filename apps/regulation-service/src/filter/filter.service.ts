import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { PARTITIONS } from '@weir/contracts';
import { type Lease, LeaseTable, NATS, PartitionConsumers, type StreamMessage, TopologyWatch } from '@weir/messaging';
import { Backlog, Database } from '@weir/service-kit';
import { BatchFilter } from './batch-filter.js';

/** Filters this process's share of the partitions of EVENTS_RAW. */
@Injectable()
export class FilterService implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(FilterService.name);
  private readonly consumers: PartitionConsumers;

  constructor(
    @Inject(NATS) nats: NatsConnection,
    dataSource: Database,
    private readonly filter: BatchFilter,
    private readonly topology: TopologyWatch,
    backlog: Backlog,
  ) {
    this.consumers = new PartitionConsumers({
      nats,
      role: 'filter',
      leases: new LeaseTable(dataSource, { role: 'filter', slots: PARTITIONS }),
      handle: (messages, lease) => this.pass(messages, lease),
      log: this.logger,
    });
    backlog.observe(() => this.consumers.lag());
  }

  onApplicationBootstrap(): void {
    this.consumers.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumers.stop();
  }

  /**
   * Refuses to pass messages on while a consumer of EVENTS_ACCEPTED is missing, because it would lose them. In EVENTS_RAW they
   * are safe.
   */
  private async pass(messages: StreamMessage[], lease: Lease): Promise<void> {
    this.topology.assertConsumers(lease.slot);
    await this.filter.filter(messages, lease);
  }
}
