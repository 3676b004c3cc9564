import type { DestinationKind } from '../kind.js';
import { httpDefinition } from './http.definition.js';
import { httpBatch, httpTransform } from './http.transform.js';

/** Any HTTP API, by mappings. It has no deletion: what an address forgets is its own affair. */
export const http: DestinationKind = { definition: httpDefinition, transform: httpTransform, batch: httpBatch };
