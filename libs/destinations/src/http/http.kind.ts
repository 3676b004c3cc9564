import type { DestinationKind } from '../kind.js';
import { httpDefinition } from './http.definition.js';
import { httpBatch, httpTransform } from './http.transform.js';

/** Any HTTP API, by mappings. Without deletion, because each API deletes in its own way. */
export const http: DestinationKind = { definition: httpDefinition, transform: httpTransform, batch: httpBatch };
