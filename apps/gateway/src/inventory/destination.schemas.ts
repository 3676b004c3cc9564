import { JsonObject, Ksuid, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { nameText, nullableObject, optionalText, Paging, requiredText } from '../http/fields.js';

export const CreateDestinationBody = z.object({
  name: nameText,
  /** Name of a destination definition. */
  type: requiredText,
  enabled: z.boolean().default(true),
  /** Checked against the definition's `configSchema`. Unknown keys are kept (ruling 28). */
  config: nullableObject.default({}),
  externalId: optionalText.optional(),
});
export type CreateDestinationBody = z.output<typeof CreateDestinationBody>;

/** Clients send the whole destination. Absent fields stay unchanged. The external id has its own path. */
export const UpdateDestinationBody = z
  .object({ name: nameText, type: requiredText, enabled: z.boolean(), config: nullableObject })
  .partial();
export type UpdateDestinationBody = z.output<typeof UpdateDestinationBody>;

export const Destination = z.object({
  id: Ksuid,
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  /** Only admins see secrets. Others see `***`. */
  config: JsonObject,
  version: z.literal(1),
  externalId: z.string().optional(),
  workspaceId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** Only in the answer for one destination: its transformation, or null if it has none. Absent while unknown. */
  transformationId: Ksuid.nullable().optional(),
});
export type Destination = z.output<typeof Destination>;

export const DestinationReply = z.object({ destination: Destination });
export type DestinationReply = z.output<typeof DestinationReply>;
export const DestinationList = z.object({ destinations: z.array(Destination), paging: Paging });
export type DestinationList = z.output<typeof DestinationList>;
