import { Injectable } from '@nestjs/common';
import { DELETED_DESTINATIONS_MAX, FindDeletedDestinations } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { chunksOf } from '../code/chunks.js';

/** Asks the gateway's database which destinations are deleted. The inventory in memory may come from a bucket that lost data. */
@Injectable()
export class DeletedCheck {
  constructor(private readonly rpc: RpcClient) {}

  /** Rejects if the gateway does not answer. Callers must then delete nothing. */
  async of(destinationIds: string[]): Promise<string[]> {
    const deleted: string[] = [];
    const bounds = { itemsMax: DELETED_DESTINATIONS_MAX, bytesMax: Number.POSITIVE_INFINITY };
    for (const ids of chunksOf(destinationIds, bounds)) {
      deleted.push(...(await this.rpc.send(FindDeletedDestinations, { destinationIds: ids })).deleted);
    }
    return deleted;
  }
}
