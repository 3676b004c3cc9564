import type { DestinationKind } from '../kind.js';
import { ga4Definition } from './ga4.definition.js';
import { ga4Deletion } from './ga4.delete.js';
import { ga4Transform } from './ga4.transform.js';

export const ga4: DestinationKind = {
  definition: ga4Definition,
  transform: ga4Transform,

  ...ga4Deletion,
};
