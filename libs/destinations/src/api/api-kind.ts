import type { DestinationDefinition } from '@weir/contracts';
import { cloudConfig } from '../cloud-config.js';
import type { DestinationKind } from '../kind.js';
import { undeliverable } from '../undeliverable.js';

export interface ApiKind {
  name: string;
  displayName: string;
  /** Keys that deletion reads, each with what it is. */
  keys: Record<string, string>;
  secretKeys: string[];
  addressKeys?: string[];
  usersMax: number;
  remove: NonNullable<DestinationKind['delete']>;
}

/** A vendor at which Weir deletes users and to which it sends no events. */
export function apiKind({ name, displayName, keys, usersMax, remove, ...more }: ApiKind): DestinationKind {
  const definition: DestinationDefinition = {
    name,
    displayName,
    config: cloudConfig({ keys: Object.keys(keys), ...more, transformAtV1: 'none' }),
    configSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(keys).map(([key, description]) => [key, { type: 'string', maxLength: 4_096, description }]),
      ),
    },
  };
  return {
    definition,
    transform: undeliverable(displayName),
    deletionUsersMax: usersMax,
    deletionIdentifiers: ['userId'],
    delete: async (request, outbound) => remove(request, outbound),
  };
}
