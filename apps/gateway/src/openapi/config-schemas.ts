import type { DestinationDefinition } from '@weir/contracts';
import { PATTERNS_KEYWORD } from '@weir/patterns';
import type { JsonSchema } from './schemas.js';

const CREATE = 'CreateDestination';
const UPDATE = 'UpdateDestination';

/** `FACEBOOK_PIXEL` has the schema `FacebookPixelConfig`. */
const configName = (type: string) =>
  `${type
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('')}Config`;

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
  const references = definitions.map(({ name }) => ({ $ref: `#/components/schemas/${configName(name)}` }));
  const { type: _, config: __, ...common } = create['properties'] as Record<string, JsonSchema>;
  const properties = update['properties'] as Record<string, JsonSchema>;
  return {
    ...schemas,
    [CREATE]: {
      description: 'A new destination. Its type decides the form of `config`',
      examples: create['examples'],
      allOf: [
        { type: 'object', properties: common, required: ['name'] },
        { oneOf: definitions.map(({ name }, index) => variant(name, references[index] ?? {})) },
      ],
    },
    [UPDATE]: { ...update, properties: { ...properties, config: { anyOf: references } } },
    ...Object.fromEntries(definitions.map((definition) => [configName(definition.name), configOf(definition)])),
  };
}

const variant = (type: string, config: JsonSchema): JsonSchema => ({
  title: type,
  type: 'object',
  properties: { type: { const: type }, config },
  required: ['type'],
});

/** The definition's own schema, without keywords that only Weir understands. */
function configOf({ displayName, configSchema }: DestinationDefinition): JsonSchema {
  const { $schema: _, [PATTERNS_KEYWORD]: __, ...schema } = configSchema;
  return { title: displayName, ...schema };
}
