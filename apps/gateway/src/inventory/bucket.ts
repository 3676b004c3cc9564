import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, INVENTORY_BUCKET, inventoryKey } from '@weir/contracts';
import { flushed, NATS } from '@weir/messaging';
import type { InventoryRecord, InventoryRef } from './bucket.records.js';

/** The one writer of the INVENTORY bucket. */
@Injectable()
export class InventoryBucket {
  private opened: Promise<KV> | undefined;
  /** Revision of the last entry that this process wrote. */
  revision = 0;

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** Throws `unavailable` when the broker does not answer: then nothing is changed at all. */
  async requireBroker(): Promise<void> {
    try {
      await flushed(this.nats);
    } catch (cause) {
      throw new AppError('unavailable', 'The broker is not reachable; nothing was changed', undefined, { cause });
    }
  }

  async put({ kind, id }: InventoryRef, record: InventoryRecord): Promise<void> {
    const bucket = await this.open();
    this.revision = await bucket.put(inventoryKey(kind, id), JSON.stringify(record));
  }

  async remove({ kind, id }: InventoryRef): Promise<void> {
    const bucket = await this.open();
    await bucket.delete(inventoryKey(kind, id));
  }

  async listRefs(): Promise<InventoryRef[]> {
    const bucket = await this.open();
    const refs: InventoryRef[] = [];
    for await (const key of await bucket.keys()) {
      const [kind, id = ''] = key.split('.') as [InventoryRef['kind'], string?];
      refs.push({ kind, id });
    }
    return refs;
  }

  /** Opened once; a failure is forgotten, so that the next use tries again. */
  private open(): Promise<KV> {
    this.opened ??= new Kvm(this.nats).open(INVENTORY_BUCKET).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
