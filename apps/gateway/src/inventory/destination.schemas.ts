import { JsonObject, Ksuid, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { nameText, nullableObject, optionalText, Paging, requiredText } from '../http/fields.js';

export const CreateDestinationBody = z.object({
  name: nameText,
  /** Name of a destination definition. */
  type: requiredText,
  enabled: z.boolean().default(true),
  /** Checked against the definition's `configSchema`; unknown keys are kept (ruling 28). */
  config: nullableObject.default({}),
  externalId: optionalText.optional(),
});
export type CreateDestinationBody = z.output<typeof CreateDestinationBody>;

/** Clients send the whole destination; what is left out stays as it is. The external id has a path of its own. */
export const UpdateDestinationBody = z
  .object({ name: nameText, type: requiredText, enabled: z.boolean(), config: nullableObject })
  .partial();
export type UpdateDestinationBody = z.output<typeof UpdateDestinationBody>;

export const Destination = z.object({
  id: Ksuid,
  name: z.string(),
  type: z.string(),
  enabled: z.boolean(),
  /** Secrets are `***` for everybody but admins. */
  config: JsonObject,
  version: z.literal(1),
  externalId: z.string().optional(),
  workspaceId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
  /** On the answer for one destination: the transformation that it uses, null for none; left out while that is not known. */
  transformationId: Ksuid.nullable().optional(),
});
export type Destination = z.output<typeof Destination>;

export const DestinationReply = z.object({ destination: Destination });
export type DestinationReply = z.output<typeof DestinationReply>;
export const DestinationList = z.object({ destinations: z.array(Destination), paging: Paging });
export type DestinationList = z.output<typeof DestinationList>;
