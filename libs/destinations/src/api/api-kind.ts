import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';
import type { DestinationKind } from '../kind.js';
import { objectOf } from '../object-of.js';
import { undeliverable } from '../undeliverable.js';
import type { KindDeletion } from './api-deletion.js';

const TEXT = { type: 'string', maxLength: 8_192 };

export interface ApiKind {
  name: string;
  displayName: string;
  /** Keys that deletion reads, with their descriptions. */
  keys: Record<string, string>;
  /** Schemas of keys that are not texts. */
  schemas?: Record<string, object>;
  secretKeys: string[];
  addressKeys?: string[];
  deletion: KindDeletion;
}

/** A vendor at which Weir deletes users but to which it sends no events. */
export function apiKind({ name, displayName, keys, schemas = {}, deletion, ...more }: ApiKind): DestinationKind {
  const definition: DestinationDefinition = {
    name,
    displayName,
    config: cloudConfig({ keys: Object.keys(keys), ...more, transformAtV1: 'none' }),
    configSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: objectOf(
        Object.entries(keys).map(([key, description]) => [key, { ...(schemas[key] ?? TEXT), description }]),
      ),
    },
  };
  return { definition, ...undeliverable(displayName), ...deletion };
}
