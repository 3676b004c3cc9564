import type { NatsConnection, Subscription } from '@nats-io/transport-node';
import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SuppressedEvents, suppressedEventsSubject } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { jsonOf, NATS, onMessage } from '@weir/messaging';
import { openOf, routesOf } from '../inventory/routes.js';
import { Outcomes } from '../outcomes/outcomes.js';
import { Traces } from '../traces/traces.js';

/** One deliverer takes each message. */
const QUEUE = 'deliverer';

/** Counts and traces the events that the filter stopped, for each destination that would have got them. */
@Injectable()
export class SuppressedEventsListener implements OnApplicationBootstrap, OnModuleDestroy {
  private subscription: Subscription | undefined;

  constructor(
    @Inject(NATS) private readonly nats: NatsConnection,
    private readonly inventory: InventoryMirror,
    private readonly outcomes: Outcomes,
    private readonly traces: Traces,
  ) {}

  onApplicationBootstrap(): void {
    const callback = onMessage(({ data }: { data: Uint8Array }) => this.take(data));
    this.subscription = this.nats.subscribe(suppressedEventsSubject('*'), { queue: QUEUE, callback });
  }

  onModuleDestroy(): void {
    this.subscription?.unsubscribe();
  }

  private take(data: Uint8Array): void {
    const { success, data: told } = SuppressedEvents.safeParse(jsonOf(data));
    if (!success) return;
    const { workspaceId, counts, events: listed } = told;
    this.traces.suppressed(workspaceId, listed);
    for (const { sourceId, events } of counts) {
      for (const destinationId of openOf(routesOf(this.inventory, { workspaceId, sourceId })))
        this.outcomes.count({ workspaceId, destinationId }, 'suppressed', events);
    }
  }
}
