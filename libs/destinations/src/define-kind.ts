import { AppError, type DestinationDefinition, type JsonObject } from '@weir/contracts';
import { PATTERNS_KEYWORD, type PatternPath } from '@weir/patterns';
import type { ConfigField, ConfigFields, ConfigOf } from './config-fields.js';
import type { BatchRule, DestinationKind, KindDeletion, Payload } from './kind.js';
import type { MessageType } from './toolkit/event.js';
import { objectOf } from './toolkit/objects.js';

/** The description of a kind in a file of `src/kinds`. */
export interface KindSpec<Fields extends ConfigFields>
  extends Pick<
    DestinationKind,
    'requests' | 'takesEventsWhole' | 'signatureHeaders' | 'deliver' | 'open' | 'batching'
  > {
  /** The type of destinations, in capitals. Configurations and clients name the kind by it, so it never changes. */
  name: string;
  displayName: string;
  /** Types of events that the kind accepts. None for a kind that only deletes users. */
  messageTypes?: readonly MessageType[];
  /** Where other implementations of the event format transform for this kind. Clients read it, Weir does not. */
  transformAtV1?: 'processor' | 'router' | 'none';
  config: Fields;
  /** Where the configuration holds patterns. */
  patterns?: readonly PatternPath[];
  /** Settings without secrets with which the kind accepts usual events. Tests start from it. */
  example: ConfigOf<Fields>;
  /**
   * Pure. Throws `AppError('invalid')` for an event or configuration that it cannot use. `[]` filters the event out. Without it,
   * Weir sends no events there and only deletes users.
   */
  transform?(event: JsonObject, config: ConfigOf<Fields>): Payload[];
  /** How live delivery combines payloads, or a function of the configuration that says so. */
  batch?: BatchRule | ((config: ConfigOf<Fields>) => BatchRule | undefined);
  deletion?: KindDeletion;
}

/** Makes a kind from its description. The types of the configuration follow from `config`. */
export function defineKind<const Fields extends ConfigFields>(spec: KindSpec<Fields>): DestinationKind {
  const { example, requests, takesEventsWhole, signatureHeaders, deliver, open, batching, batch } = spec;
  const { deletion, displayName } = spec;
  return {
    definition: definitionOf(spec),
    example,
    ...(spec.transform ? { transform: spec.transform } : withoutEvents(displayName)),
    ...(requests && { requests }),
    ...(takesEventsWhole && { takesEventsWhole }),
    ...(signatureHeaders && { signatureHeaders }),
    ...(batch && { batch: typeof batch === 'function' ? batch : () => batch }),
    ...(deliver && { deliver }),
    ...(open && { open }),
    ...(batching && { batching }),
    ...(deletion && { deletion }),
  };
}

/** For kinds that delete users but accept no events. Dead letters show the reason. Such kinds do not support tests. */
const withoutEvents = (displayName: string) => ({
  takesNoEvents: true,
  transform: (): never => {
    throw new AppError('invalid', `Weir cannot deliver events to ${displayName}. It can delete users there`);
  },
});

/** Every kind accepts events of every type of source, and always through Weir's servers. */
const SOURCE_TYPES = [
  ...['android', 'androidKotlin', 'ios', 'iosSwift', 'web', 'unity', 'amp', 'cloud', 'warehouse', 'reactnative'],
  ...['flutter', 'cordova', 'shopify'],
];

/** The same schema for a key that may be null, which clients send for "not given". */
function withNull(schema: { type?: unknown; enum?: unknown; const?: unknown }): object {
  const { const: only, ...rest } = schema;
  const values = only === undefined ? schema.enum : [only];
  return {
    ...rest,
    ...(schema.type !== undefined && { type: [...new Set([schema.type, 'null'].flat())] }),
    ...(Array.isArray(values) && { enum: [...new Set([...values, null])] }),
  };
}

type PublicSpec = Pick<
  KindSpec<ConfigFields>,
  'name' | 'displayName' | 'messageTypes' | 'transformAtV1' | 'patterns' | 'config'
> & { transform?: unknown };

/** The public description of a kind. Unknown keys of a configuration are kept (ruling 28). */
function definitionOf(spec: PublicSpec): DestinationDefinition {
  const { name, displayName, messageTypes, transformAtV1, patterns } = spec;
  const fields = Object.entries(spec.config);
  const keysWhere = (isWanted: (field: ConfigField) => unknown) =>
    fields.filter(([, field]) => isWanted(field)).map(([key]) => key);
  const secretItems = fields.flatMap(([key, { secretItemKeys = [] }]) =>
    secretItemKeys.map((item) => `${key}.${item}`),
  );
  const required = keysWhere(({ isRequired }) => isRequired);
  return {
    name,
    displayName,
    config: {
      destConfig: { defaultConfig: keysWhere(({ isExtra }) => !isExtra) },
      secretKeys: [...keysWhere(({ isSecret }) => isSecret), ...secretItems],
      addressKeys: keysWhere(({ isAddress }) => isAddress),
      supportedSourceTypes: SOURCE_TYPES,
      supportedConnectionModes: objectOf(SOURCE_TYPES.map((type) => [type, ['cloud']])),
      supportedMessageTypes: messageTypes ? { cloud: [...messageTypes] } : {},
      transformAtV1: transformAtV1 ?? (spec.transform ? 'processor' : 'none'),
    },
    configSchema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      ...(required.length > 0 && { required }),
      ...(patterns && { [PATTERNS_KEYWORD]: patterns }),
      properties: objectOf(
        fields.map(([key, { schema, isRequired }]) => [key, isRequired ? schema : withNull(schema)]),
      ),
    },
  };
}
