import { Controller } from '@nestjs/common';
import {
  CountDeliveries,
  GetDelivery,
  ListDeliveries,
  notFound,
  ReplayDeliveries,
  type ReplyOf,
  type RequestOf,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { ReplayRepository } from '../replays/replay.repository.js';
import { DeliveryCountRepository } from './delivery-count.repository.js';
import { DeliveryListRepository } from './delivery-list.repository.js';

@Controller()
export class DeliveryController {
  constructor(
    private readonly deliveries: DeliveryListRepository,
    private readonly counts: DeliveryCountRepository,
    private readonly replays: ReplayRepository,
  ) {}

  @Handles(ListDeliveries)
  list({ workspaceId, cursor, ...filter }: RequestOf<typeof ListDeliveries>): Promise<ReplyOf<typeof ListDeliveries>> {
    return this.deliveries.list(workspaceId, filter, cursor);
  }

  @Handles(GetDelivery)
  async get({ workspaceId, id }: RequestOf<typeof GetDelivery>): Promise<ReplyOf<typeof GetDelivery>> {
    const found = await this.deliveries.find(workspaceId, id);
    if (!found) throw notFound('delivery');
    return found;
  }

  @Handles(CountDeliveries)
  count({ workspaceId, ...filter }: RequestOf<typeof CountDeliveries>): Promise<ReplyOf<typeof CountDeliveries>> {
    return this.counts.list(workspaceId, filter);
  }

  @Handles(ReplayDeliveries)
  replay({
    workspaceId,
    dryRun,
    selection,
  }: RequestOf<typeof ReplayDeliveries>): Promise<ReplyOf<typeof ReplayDeliveries>> {
    return dryRun ? this.replays.plan(workspaceId, selection) : this.replays.request(workspaceId, selection);
  }
}
