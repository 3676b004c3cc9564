import { z } from 'zod';
import { Ksuid } from './ids.js';

/** The bucket that holds the inventory, one key per object. Only the gateway writes it. Gateway, deliverer and eraser read it. */
export const INVENTORY_BUCKET = 'INVENTORY';

export const SourceRecord = z.object({
  id: Ksuid,
  workspaceId: Ksuid,
  name: z.string(),
  type: z.string(),
  writeKey: z.string(),
  enabled: z.boolean(),
});
export type SourceRecord = z.output<typeof SourceRecord>;

export const DestinationRecord = z.object({
  id: Ksuid,
  workspaceId: Ksuid,
  name: z.string(),
  /** Name of the definition, for example `WEBHOOK`. */
  type: z.string(),
  enabled: z.boolean(),
  /** Configuration sealed with the encryption key (service-kit `Sealer`). It never reaches the broker in clear text. */
  sealedConfig: z.string(),
});
export type DestinationRecord = z.output<typeof DestinationRecord>;

export const ConnectionRecord = z.object({
  id: Ksuid,
  workspaceId: Ksuid,
  sourceId: Ksuid,
  destinationId: Ksuid,
  enabled: z.boolean(),
});
export type ConnectionRecord = z.output<typeof ConnectionRecord>;

/** The permissions of a workspace beyond the defaults. A workspace with default settings has no record. */
export const WorkspaceRecord = z.object({
  id: Ksuid,
  /** Whether its user code may call `fetch` and `fetchV2`. */
  allowFetch: z.boolean(),
});
export type WorkspaceRecord = z.output<typeof WorkspaceRecord>;

export type InventoryKind = 'source' | 'destination' | 'connection' | 'workspace';
/**
 * The key under which the gateway declares the bucket complete. Its value is the creation time of that bucket, so it holds for no
 * other bucket. It has the form of a workspace key, because the previous Weir version removes a workspace that it does not know.
 */
export const INVENTORY_MARKER = { kind: 'workspace', id: 'complete' } as const satisfies {
  kind: InventoryKind;
  id: string;
};
export const inventoryKey = (kind: InventoryKind, id: string) => `${kind}.${id}`;

/** Permissions of a token (architecture section 6). */
export const Role = z.enum(['read-only', 'read-write', 'admin']);
export type Role = z.output<typeof Role>;
