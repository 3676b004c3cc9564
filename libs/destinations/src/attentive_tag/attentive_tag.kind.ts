import type { DestinationKind } from '../kind.js';
import { attentiveTagDefinition } from './attentive_tag.definition.js';
import { attentiveTagTransform } from './attentive_tag.transform.js';

export const attentiveTag: DestinationKind = { definition: attentiveTagDefinition, transform: attentiveTagTransform };
