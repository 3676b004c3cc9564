import { z } from 'zod';
import { Ksuid } from './ids.js';
import { PARTITIONS } from './limits.js';

/** The bucket that holds the inventory, one key per object. Only the gateway writes it. Gateway, deliverer and eraser read it. */
export const INVENTORY_BUCKET = 'INVENTORY';

export const SourceRecord = z.object({
  id: Ksuid,
  workspaceId: Ksuid,
  name: z.string(),
  type: z.string(),
  writeKey: z.string(),
  enabled: z.boolean(),
  /** Over how many partitions its users are spread. Records of the release before have none. */
  partitions: z.int().min(1).max(PARTITIONS).default(1),
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

/** The kinds of entries in the inventory. */
export type InventoryObjectType = 'source' | 'destination' | 'connection' | 'workspace';
/**
 * The key under which the gateway declares the bucket complete. Its value is the creation time of that bucket, so it holds for no
 * other bucket. It has the form of a workspace key, because the previous Weir version removes a workspace that it does not know.
 */
export const INVENTORY_MARKER = { objectType: 'workspace', id: 'complete' } as const satisfies {
  objectType: InventoryObjectType;
  id: string;
};
export const inventoryKey = (objectType: InventoryObjectType, id: string) => `${objectType}.${id}`;

/** The purpose of a token (architecture section 6). The gateway's table says what each may do. */
export const ROLES = ['admin', 'write', 'read', 'privacy', 'publish'] as const;
export type RoleName = (typeof ROLES)[number];

/** Earlier names of roles. Tokens keep the name that they were made with, so that a gateway of the version before knows it. */
export const FORMER_ROLES = { 'read-write': 'write', 'read-only': 'read' } as const satisfies Record<string, RoleName>;
const FORMER_NAMES = ['read-write', 'read-only'] as const satisfies (keyof typeof FORMER_ROLES)[];

/** The role of a token, as it was given. {@link roleName} has its present name. */
export const Role = z.enum([...ROLES, ...FORMER_NAMES]);
export type Role = z.output<typeof Role>;

const isFormer = (role: Role): role is keyof typeof FORMER_ROLES => Object.hasOwn(FORMER_ROLES, role);
export const roleName = (role: Role): RoleName => (isFormer(role) ? FORMER_ROLES[role] : role);
