import type { DestinationKind } from '../kind.js';
import { tiktokAdsDefinition } from './tiktok_ads.definition.js';
import { tiktokAdsBatch, tiktokAdsDeliver } from './tiktok_ads.deliver.js';
import { tiktokAdsTransform } from './tiktok_ads.transform.js';

/** The Events API cannot delete a user. */
export const tiktokAds: DestinationKind = {
  definition: tiktokAdsDefinition,
  transform: tiktokAdsTransform,
  batch: () => tiktokAdsBatch,
  deliver: tiktokAdsDeliver,
};
