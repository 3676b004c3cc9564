import type { JsonObject } from '@weir/contracts';
import { objectOf } from './toolkit/objects.js';

/** One key of a configuration: its JSON Schema, and what Weir must know about it. */
export interface ConfigField<Schema extends object = object> {
  schema: Schema;
  isSecret?: boolean;
  /** Determines where requests go, fully or in part. Stored secrets never follow when it changes (ruling 29). */
  isAddress?: boolean;
  isRequired?: boolean;
  /** Secret keys within list items. */
  secretItemKeys?: readonly string[];
  /** Accepted and described, but missing in `defaultConfig`, because only Weir knows the key. */
  isExtra?: boolean;
}

/** The keys of a configuration, in the order of the definition. */
export type ConfigFields = Readonly<Record<string, ConfigField>>;

/**
 * A configuration with these keys. Every key may be absent, because configurations can be older than the schema, or null, because
 * clients send it for "not given".
 */
export type ConfigOf<Fields extends ConfigFields> = {
  readonly [Key in keyof Fields]?: ValueOf<Fields[Key]['schema']> | null;
};

/** The values that a JSON Schema accepts. `unknown` for a schema that names neither values nor types. */
type ValueOf<Schema> = Schema extends { enum: readonly (infer Value)[] }
  ? Value
  : Schema extends { const: infer Value }
    ? Value
    : Schema extends { type: readonly (infer Type)[] }
      ? TypeNames[Type & keyof TypeNames]
      : Schema extends { type: infer Type }
        ? TypeNames[Type & keyof TypeNames]
        : unknown;

interface TypeNames {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
  array: readonly JsonObject[];
  object: JsonObject;
}

const TEXT_LENGTH_MAX = 8_192;
const LIST_LENGTH_MAX = 1_000;

/** A key with any JSON Schema, for what the other functions cannot describe. */
export const field = <const Schema extends object>(schema: Schema): ConfigField<Schema> => ({ schema });

/** A text. Clients send null for "not given", so every key accepts it that is not required (`defineKind` sees to it). */
export const text = (description: string) =>
  field({ type: ['string', 'null'], maxLength: TEXT_LENGTH_MAX, description });
export const secret = (description: string) => asSecret(text(description));
/** A text that determines where requests go. */
export const address = (description: string) => asAddress(text(description));
export const flag = (description: string) => field({ type: ['boolean', 'null'], description });
export const number = (description: string) => field({ type: ['number', 'string', 'null'], description });
/** One of these words. Any other text is a mistake of whoever configures the destination, and is refused. */
export const choice = <const Value extends string>(values: readonly Value[], description: string) =>
  field({ enum: [...values, '', null], description });
/** A text of which the kind knows these words. All others mean what the description says. */
export const words = (known: readonly string[], description: string) =>
  field({ type: ['string', 'null'], maxLength: TEXT_LENGTH_MAX, examples: known, description });
/** A list of objects with these texts. */
export const listOf = (keys: readonly string[], description: string, maxItems = LIST_LENGTH_MAX) =>
  field({
    type: ['array', 'null'],
    maxItems,
    description,
    items: { type: 'object', properties: itemsOf(keys) },
  });
/** Any JSON value. The transform reads it leniently. */
export const anything = (description: string) => field({ description });

/** Marks a key whose value only admins see. */
export const asSecret = <Schema extends object>(marked: ConfigField<Schema>): ConfigField<Schema> => ({
  ...marked,
  isSecret: true,
});
/** Marks a key that determines where requests go, for example a region that is part of the host name. */
export const asAddress = <Schema extends object>(marked: ConfigField<Schema>): ConfigField<Schema> => ({
  ...marked,
  isAddress: true,
});
export const required = <Schema extends object>(marked: ConfigField<Schema>): ConfigField<Schema> => ({
  ...marked,
  isRequired: true,
});
/** Marks these keys of a list's items as secret. */
export const secretItems = <Schema extends object>(
  keys: readonly string[],
  marked: ConfigField<Schema>,
): ConfigField<Schema> => ({ ...marked, secretItemKeys: keys });
/** Marks a key that is not part of `defaultConfig`, because only Weir knows it. */
export const extra = <Schema extends object>(marked: ConfigField<Schema>): ConfigField<Schema> => ({
  ...marked,
  isExtra: true,
});

const itemsOf = (keys: readonly string[]) =>
  objectOf(keys.map((key) => [key, { type: ['string', 'number', 'boolean', 'null'], maxLength: TEXT_LENGTH_MAX }]));
