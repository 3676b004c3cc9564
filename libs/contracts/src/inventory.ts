import { z } from 'zod';
import { Ksuid } from './ids.js';

/** What the `INVENTORY` bucket holds, one key per object. The gateway alone writes it; gateway, deliverer and eraser read it. */
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
  /** Name of the definition, e.g. `WEBHOOK`. */
  type: z.string(),
  enabled: z.boolean(),
  /** Configuration sealed with the encryption key (service-kit `Sealer`); never in clear on the broker. */
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

/** What a workspace allows beyond the default; there is none for a workspace that has changed nothing. */
export const WorkspaceRecord = z.object({
  id: Ksuid,
  /** Whether its user code may call `fetch` and `fetchV2`. */
  allowFetch: z.boolean(),
});
export type WorkspaceRecord = z.output<typeof WorkspaceRecord>;

export type InventoryKind = 'source' | 'destination' | 'connection' | 'workspace';
/**
 * The key under which the gateway says that the bucket has all there is. Its value is when that bucket was created: the word
 * is about no other one. It is named like a workspace, because the release before removes one that it does not know.
 */
export const INVENTORY_MARKER = { kind: 'workspace', id: 'complete' } as const satisfies {
  kind: InventoryKind;
  id: string;
};
export const inventoryKey = (kind: InventoryKind, id: string) => `${kind}.${id}`;

/** What a token may do (architecture section 6). */
export const Role = z.enum(['read-only', 'read-write', 'admin']);
export type Role = z.output<typeof Role>;
