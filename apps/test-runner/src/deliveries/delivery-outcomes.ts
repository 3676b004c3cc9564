import { Injectable } from '@nestjs/common';
import { DeliveryMetrics, type DeliveryOutcome } from './delivery-metrics.js';
import type { DestinationPart } from './delivery-unit.js';

/** Whose events they are, and where they go. */
export type DeliveryOwnerIds = Pick<DestinationPart, 'workspaceId' | 'destinationId'>;

/** Where the outcome of every delivery is told. */
@Injectable()
export class DeliveryOutcomes {
  constructor(private readonly metrics: DeliveryMetrics) {}

  count(_owner: DeliveryOwnerIds, outcome: DeliveryOutcome, events = 1): void {
    this.metrics.count(outcome, events);
  }

  delivered(part: DestinationPart): void {
    this.count(part, 'delivered');
    this.metrics.took(Date.now() - Date.parse(part.receivedAt));
  }
}
