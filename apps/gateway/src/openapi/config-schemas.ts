import type { DestinationDefinition } from '@weir/contracts';
import { PATTERNS_KEYWORD } from '@weir/patterns';
import type { JsonSchema } from './schemas.js';

const CREATE = 'CreateDestination';
const UPDATE = 'UpdateDestination';

/** `FACEBOOK_PIXEL` has the schemas `FacebookPixelConfig` and `FacebookPixelDestination`. */
const nameOf = (type: string) =>
  type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
const configName = (type: string) => `${nameOf(type)}Config`;
const variantName = (type: string) => `${nameOf(type)}Destination`;
const referenceTo = (name: string) => `#/components/schemas/${name}`;

/**
 * The named schemas with the settings of each destination type: the type of a new destination decides the form of its `config`.
 * Answers keep a free form, because their secrets are masked and an incomplete configuration lacks settings.
 */
export function withConfigs(
  schemas: Readonly<Record<string, JsonSchema>>,
  definitions: readonly DestinationDefinition[],
): Record<string, JsonSchema> {
  const { [CREATE]: create, [UPDATE]: update } = schemas;
  if (definitions.length === 0 || !create || !update) return schemas;
  const types = definitions.map(({ name }) => name);
  const { type: _, config: __, ...common } = create['properties'] as Record<string, JsonSchema>;
  const properties = update['properties'] as Record<string, JsonSchema>;
  return {
    ...schemas,
    [CREATE]: {
      description: 'A new destination. Its type decides the form of `config`',
      examples: create['examples'],
      oneOf: types.map((type) => ({ $ref: referenceTo(variantName(type)) })),
      discriminator: {
        propertyName: 'type',
        mapping: Object.fromEntries(types.map((type) => [type, referenceTo(variantName(type))])),
      },
    },
    [UPDATE]: { ...update, properties: { ...properties, config: anyConfig(types) } },
    ...Object.fromEntries(definitions.map((definition) => [configName(definition.name), configOf(definition)])),
    ...Object.fromEntries(types.map((type) => [variantName(type), variant(type, common)])),
  };
}

const anyConfig = (types: readonly string[]): JsonSchema => ({
  anyOf: types.map((type) => ({ $ref: referenceTo(configName(type)) })),
});

/** A new destination of this type. It has a name, because generators number the others, and a new kind would then rename them. */
const variant = (type: string, common: Record<string, JsonSchema>): JsonSchema => ({
  title: type,
  type: 'object',
  properties: { ...common, type: { type: 'string', const: type }, config: { $ref: referenceTo(configName(type)) } },
  required: ['name', 'type'],
});

/** The definition's own schema, without keywords that only Weir understands. */
function configOf({ displayName, configSchema }: DestinationDefinition): JsonSchema {
  const { $schema: _, [PATTERNS_KEYWORD]: __, ...schema } = configSchema;
  return { title: displayName, ...schema };
}
