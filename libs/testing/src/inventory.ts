import { Kvm } from '@nats-io/kv';
import type { NatsConnection } from '@nats-io/transport-node';
import { INVENTORY_BUCKET, INVENTORY_MARKER, type InventoryObjectType, inventoryKey } from '@weir/contracts';
import { ensureTopology } from '@weir/messaging';
import { patientJetStream, patientManager } from './patient-jetstream.js';

/** Marks the current bucket as complete, as the gateway does once it has written everything. */
export async function markInventory(nats: NatsConnection): Promise<void> {
  const { streams } = await patientManager(nats);
  const { created } = await streams.info(`KV_${INVENTORY_BUCKET}`);
  const bucket = await new Kvm(patientJetStream(nats)).open(INVENTORY_BUCKET);
  await bucket.put(inventoryKey(INVENTORY_MARKER.objectType, INVENTORY_MARKER.id), String(created));
}

/** Deletes the bucket and recreates it as the migration step does: empty and without a marker. */
export async function loseInventory(nats: NatsConnection): Promise<void> {
  const { streams } = await patientManager(nats);
  await streams.delete(`KV_${INVENTORY_BUCKET}`);
  await ensureTopology(nats);
}

/** Writes to the inventory as the gateway does. Returns the mark that an intake then sees. */
export async function putInventory<R extends { id: string }>(
  nats: NatsConnection,
  objectType: InventoryObjectType,
  record: R,
): Promise<{ bucket: string; revision: number }> {
  const bucket = await new Kvm(patientJetStream(nats)).open(INVENTORY_BUCKET);
  const revision = await bucket.put(inventoryKey(objectType, record.id), JSON.stringify(record));
  const { streamInfo } = await bucket.status();
  return { bucket: String(streamInfo.created), revision };
}

/** Deletes an entry of the inventory, as the gateway does. */
export async function deleteInventory(
  nats: NatsConnection,
  objectType: InventoryObjectType,
  id: string,
): Promise<void> {
  const bucket = await new Kvm(patientJetStream(nats)).open(INVENTORY_BUCKET);
  await bucket.delete(inventoryKey(objectType, id));
}
