import type { DestinationDefinition } from '@weir/contracts';
import { PATTERNS_KEYWORD, type PatternPlace } from '@weir/patterns';
import { cloudConfig } from '../cloud-config.js';
import { objectOf } from '../object-of.js';
import type { MessageType } from './event.js';

/** One variable of a configuration: its JSON Schema, and properties that Weir needs. */
export interface Variable {
  schema: object;
  isSecret?: boolean;
  /** Determines where requests go, fully or in part. Stored secrets never follow when it changes (ruling 29). */
  isAddress?: boolean;
  isRequired?: boolean;
  /** Secret keys within list items. */
  secretItemKeys?: readonly string[];
}

const TEXT_LENGTH_MAX = 8_192;
const LIST_LENGTH_MAX = 1_000;

/** Clients send null for "not given". */
export const text = (description: string): Variable => ({
  schema: { type: ['string', 'null'], maxLength: TEXT_LENGTH_MAX, description },
});
export const secret = (description: string): Variable => ({ ...text(description), isSecret: true });
export const flag = (description: string): Variable => ({ schema: { type: ['boolean', 'null'], description } });
export const address = (description: string): Variable => ({ ...text(description), isAddress: true });
/** Marks a variable that is part of the host name, such as a region. It determines who gets a request. */
export const decidesHost = (variable: Variable): Variable => ({ ...variable, isAddress: true });
/** Marks these keys of a list's items as secret. */
export const secretItems = (keys: readonly string[], variable: Variable): Variable => ({
  ...variable,
  secretItemKeys: keys,
});
export const number = (description: string): Variable => ({
  schema: { type: ['number', 'string', 'null'], description },
});
export const choice = (values: readonly string[], description: string): Variable => ({
  schema: { enum: [...values, '', null], description },
});
/** A list of objects with these texts. */
export const listOf = (keys: readonly string[], description: string): Variable => ({
  schema: {
    type: ['array', 'null'],
    maxItems: LIST_LENGTH_MAX,
    description,
    items: { type: 'object', properties: itemsOf(keys) },
  },
});
/** Any JSON value. The transform reads it leniently. */
export const anything = (description: string): Variable => ({ schema: { description } });
export const required = (variable: Variable): Variable => ({ ...variable, isRequired: true });

const itemsOf = (keys: readonly string[]) =>
  objectOf(keys.map((key) => [key, { type: ['string', 'number', 'boolean', 'null'], maxLength: TEXT_LENGTH_MAX }]));

export interface VendorDefinition {
  name: string;
  displayName: string;
  messageTypes: readonly MessageType[];
  transformAtV1?: 'processor' | 'router';
  /** In the order of the definition. */
  config: Readonly<Record<string, Variable>>;
  /** Where the configuration holds patterns. */
  patterns?: readonly PatternPlace[];
}

/** Builds the definition of a kind from a table of variables. Unknown keys of a configuration are kept (ruling 28). */
export function vendorDefinition({
  name,
  displayName,
  messageTypes,
  transformAtV1 = 'processor',
  config,
  patterns,
}: VendorDefinition): DestinationDefinition {
  const entries = Object.entries(config);
  const keysWhere = (isWanted: (variable: Variable) => unknown) =>
    entries.filter(([, variable]) => isWanted(variable)).map(([key]) => key);
  const secretItems = entries.flatMap(([key, { secretItemKeys = [] }]) =>
    secretItemKeys.map((item) => `${key}.${item}`),
  );
  const required = keysWhere(({ isRequired }) => isRequired);
  return {
    name,
    displayName,
    config: cloudConfig({
      keys: entries.map(([key]) => key),
      secretKeys: [...keysWhere(({ isSecret }) => isSecret), ...secretItems],
      addressKeys: keysWhere(({ isAddress }) => isAddress),
      messageTypes: [...messageTypes],
      transformAtV1,
    }),
    configSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(patterns && { [PATTERNS_KEYWORD]: patterns }),
      properties: objectOf(entries.map(([key, { schema }]) => [key, schema])),
    },
  };
}
