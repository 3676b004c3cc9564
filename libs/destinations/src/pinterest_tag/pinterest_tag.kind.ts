import type { DestinationKind } from '../kind.js';
import { pinterestTagDefinition } from './pinterest_tag.definition.js';
import { pinterestTagBatch, pinterestTagDeliver } from './pinterest_tag.deliver.js';
import { pinterestTagTransform } from './pinterest_tag.transform.js';

export const pinterestTag: DestinationKind = {
  definition: pinterestTagDefinition,
  transform: pinterestTagTransform,
  batch: () => pinterestTagBatch,
  deliver: pinterestTagDeliver,
};
