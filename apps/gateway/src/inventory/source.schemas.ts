import { JsonObject, Ksuid, Timestamp } from '@weir/contracts';
import { z } from 'zod';
import { nameText, nullableObject, Paging, requiredText } from '../http/fields.js';

const settings = {
  enabled: z.boolean(),
  /** Free form. Null counts as empty (wire-facts 5). */
  config: nullableObject,
  geoEnrichmentEnabled: z.boolean(),
  transient: z.boolean(),
};

export const CreateSourceBody = z.object({
  name: nameText,
  type: requiredText,
  enabled: settings.enabled.default(true),
  config: settings.config.default({}),
  geoEnrichmentEnabled: settings.geoEnrichmentEnabled.default(false),
  transient: settings.transient.default(false),
});
export type CreateSourceBody = z.output<typeof CreateSourceBody>;

/** Clients send the whole source. Absent fields stay unchanged. `id` and `writeKey` never change. */
export const UpdateSourceBody = z.object({ name: nameText, type: requiredText, ...settings }).partial();
export type UpdateSourceBody = z.output<typeof UpdateSourceBody>;

export const Source = z.object({
  id: Ksuid,
  name: z.string(),
  type: z.string(),
  writeKey: z.string(),
  enabled: z.boolean(),
  config: JsonObject,
  geoEnrichmentEnabled: z.boolean(),
  transient: z.boolean(),
  workspaceId: Ksuid,
  createdAt: Timestamp,
  updatedAt: Timestamp,
});
export type Source = z.output<typeof Source>;

export const SourceReply = z.object({ source: Source });
export type SourceReply = z.output<typeof SourceReply>;
export const SourceList = z.object({ sources: z.array(Source), paging: Paging });
export type SourceList = z.output<typeof SourceList>;
