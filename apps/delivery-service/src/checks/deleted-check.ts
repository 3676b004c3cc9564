import { Injectable } from '@nestjs/common';
import { chunksOf, DELETED_DESTINATIONS_MAX, FindDeletedDestinations } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';

/** Asks the gateway's database which destinations are deleted. The inventory in memory may come from a bucket that lost data. */
@Injectable()
export class DeletedCheck {
  constructor(private readonly rpc: RpcClient) {}

  /** Rejects if the gateway does not answer. Callers must then delete nothing. */
  async of(destinationIds: string[]): Promise<string[]> {
    const deleted: string[] = [];
    for (const ids of chunksOf(destinationIds, { itemsMax: DELETED_DESTINATIONS_MAX })) {
      deleted.push(...(await this.rpc.send(FindDeletedDestinations, { destinationIds: ids })).deleted);
    }
    return deleted;
  }
}
