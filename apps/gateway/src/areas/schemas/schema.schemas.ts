import { EventModel, EventVersion, GetKeyCounts, GetMissingKeys } from '@weir/contracts';
import { z } from 'zod';

/** Parameter names as the specification spells them (spec 4.4). */
export const ModelPath = z.object({ EventID: z.string() });
export type ModelPath = z.output<typeof ModelPath>;
export const VersionPath = z.object({ VersionID: z.string() });
export type VersionPath = z.output<typeof VersionPath>;

export const ModelsQuery = z.object({
  WriteKey: z.string().max(256).optional().meta({ description: 'Models of this source only' }),
});
export type ModelsQuery = z.output<typeof ModelsQuery>;
/** Required, but with words of its own when it is missing. */
export const VersionsQuery = z.object({ EventID: z.string().max(256).optional() });
export type VersionsQuery = z.output<typeof VersionsQuery>;

export const Models = z.array(EventModel);
export const Versions = z.array(EventVersion);
export const KeyCounts = GetKeyCounts.reply.shape.counts;
export const MissingKeys = GetMissingKeys.reply.shape.keys;
