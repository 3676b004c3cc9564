import { jetstreamManager } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { INVENTORY_BUCKET, INVENTORY_MARKER, inventoryKey } from '@weir/contracts';
import { ensureTopology } from '@weir/messaging';

/** Says what the gateway says once it has written everything: the bucket as it is now has all there is. */
export async function markInventory(nats: NatsConnection): Promise<void> {
  const { streams } = await jetstreamManager(nats);
  const { created } = await streams.info(`KV_${INVENTORY_BUCKET}`);
  const bucket = await new Kvm(nats).open(INVENTORY_BUCKET);
  await bucket.put(inventoryKey(INVENTORY_MARKER.kind, INVENTORY_MARKER.id), String(created));
}

/** Deletes the bucket as somebody does by hand, and makes it anew as the migration step does: empty, and nobody's word on it. */
export async function loseInventory(nats: NatsConnection): Promise<void> {
  const { streams } = await jetstreamManager(nats);
  await streams.delete(`KV_${INVENTORY_BUCKET}`);
  await ensureTopology(nats);
}
