import { Ksuid, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { bodyId, optionalText, Paging } from '../http/fields.js';

export const CreateConnectionBody = z.object({
  sourceId: bodyId,
  destinationId: bodyId,
  enabled: z.boolean().default(true),
  externalId: optionalText.optional(),
});
export type CreateConnectionBody = z.output<typeof CreateConnectionBody>;

/** Clients send the whole connection. Absent fields stay unchanged. */
export const UpdateConnectionBody = z
  .object({ sourceId: bodyId, destinationId: bodyId, enabled: z.boolean() })
  .partial();
export type UpdateConnectionBody = z.output<typeof UpdateConnectionBody>;

export const Connection = z.object({
  id: Ksuid,
  sourceId: Ksuid,
  destinationId: Ksuid,
  enabled: z.boolean(),
  externalId: z.string().optional(),
  workspaceId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Connection = z.output<typeof Connection>;

export const ConnectionReply = z.object({ connection: Connection });
export type ConnectionReply = z.output<typeof ConnectionReply>;
export const ConnectionList = z.object({ connections: z.array(Connection), paging: Paging });
export type ConnectionList = z.output<typeof ConnectionList>;
