import { type KV, Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { AppError, INVENTORY_BUCKET, INVENTORY_MARKER, inventoryKey } from '@weir/contracts';
import { flushed, NATS } from '@weir/messaging';
import type { InventoryRecord, InventoryRef } from './bucket.records.js';

const MARKER_KEY = inventoryKey(INVENTORY_MARKER.kind, INVENTORY_MARKER.id);

/** The only writer of the INVENTORY bucket. */
@Injectable()
export class InventoryBucket {
  private opened: Promise<KV> | undefined;
  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** Throws `unavailable` if the broker does not answer. The caller then changes nothing. */
  async requireBroker(): Promise<void> {
    try {
      await flushed(this.nats);
    } catch (cause) {
      throw new AppError('unavailable', 'The broker is not reachable; nothing was changed', undefined, { cause });
    }
  }

  async put({ kind, id }: InventoryRef, record: InventoryRecord): Promise<void> {
    const bucket = await this.open();
    await bucket.put(inventoryKey(kind, id), JSON.stringify(record));
  }

  async remove({ kind, id }: InventoryRef): Promise<void> {
    const bucket = await this.open();
    await bucket.delete(inventoryKey(kind, id));
  }

  /** Declares the bucket of that name complete. Any other bucket ignores the mark. */
  async mark(name: string): Promise<void> {
    await (await this.open()).put(MARKER_KEY, name);
  }

  async listRefs(): Promise<InventoryRef[]> {
    const bucket = await this.open();
    const refs: InventoryRef[] = [];
    for await (const key of await bucket.keys()) {
      if (key === MARKER_KEY) continue;
      const [kind, id = ''] = key.split('.') as [InventoryRef['kind'], string?];
      refs.push({ kind, id });
    }
    return refs;
  }

  /** Opens the bucket once. Forgets a failure, so that the next use tries again. */
  private open(): Promise<KV> {
    this.opened ??= new Kvm(this.nats).open(INVENTORY_BUCKET).catch((error: unknown) => {
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }
}
