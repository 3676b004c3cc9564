import { isDeepStrictEqual } from 'node:util';
import {
  AutoRollback,
  CountDeliveries,
  Delivery,
  DeliveryCounters,
  DeliveryHour,
  DestinationDefinition,
  DestinationTestResult,
  DiffVersions,
  EventMetadata,
  EventVersion,
  GetModelMetadata,
  GetRegulation,
  GetSavedTests,
  GetTransformation,
  GetTransformationVersion,
  JsonObject,
  KeyFact,
  ListDefinitions,
  ListDeliveries,
  ListDeliveryHours,
  ListedRegulation,
  ListJsonSchemas,
  ListKeyFacts,
  ListLibraryUsages,
  ListModelDays,
  ListPiiFlags,
  ListReceiptKeys,
  ListRegulations,
  ModelDays,
  ObservedSchema,
  PiiFlag,
  PutSourcePrivacy,
  Regulation,
  SavedTests,
  SignedReceipt,
  SourcePrivacy,
  StageDetails,
  StageFlags,
  StageResults,
  TestDetails,
  TestRelease,
  TestRun,
  TestRunSummary,
  Transformation,
  TransformationRevision,
  ValidationOutput,
  VersionDiff,
} from '@weir/contracts';
import { z } from 'zod';

/** Contracts with a name of their own in the document, and examples from calls that answer them. */
const NAMED: Record<string, { schema: z.ZodType; examples?: unknown[] }> = {
  Delivery: { schema: Delivery, examples: ListDeliveries.example.reply.deliveries },
  AutoRollback: { schema: AutoRollback },
  DeliveryCounters: { schema: DeliveryCounters, examples: CountDeliveries.example.reply.counters },
  DeliveryHour: { schema: DeliveryHour, examples: ListDeliveryHours.example.reply.hours },
  DestinationDefinition: { schema: DestinationDefinition, examples: ListDefinitions.example.reply.definitions },
  DestinationTestResult: { schema: DestinationTestResult },
  EventMetadata: { schema: EventMetadata, examples: [GetModelMetadata.example.reply] },
  EventVersion: { schema: EventVersion },
  KeyFact: { schema: KeyFact, examples: ListKeyFacts.example.reply.keys },
  LibraryUsages: { schema: ListLibraryUsages.reply, examples: [ListLibraryUsages.example.reply] },
  ModelDays: { schema: ModelDays, examples: ListModelDays.example.reply.models },
  ObservedSchema: { schema: ObservedSchema, examples: ListJsonSchemas.example.reply.schemas },
  PiiFlag: { schema: PiiFlag, examples: ListPiiFlags.example.reply.flags },
  ListedRegulation: { schema: ListedRegulation },
  Regulation: { schema: Regulation, examples: ListRegulations.example.reply.records },
  ReceiptKeys: { schema: ListReceiptKeys.reply },
  RegulationDetails: { schema: GetRegulation.reply, examples: [GetRegulation.example.reply] },
  SavedTests: { schema: SavedTests, examples: [GetSavedTests.example.reply] },
  SignedReceipt: { schema: SignedReceipt },
  SourcePrivacy: { schema: SourcePrivacy, examples: [PutSourcePrivacy.example.reply] },
  StageDetails: { schema: StageDetails },
  StageFlags: { schema: StageFlags },
  StageResults: { schema: StageResults },
  TestDetails: { schema: TestDetails },
  TestReport: { schema: TestRelease.reply },
  TestRun: { schema: TestRun },
  TestRunSummary: { schema: TestRunSummary },
  Transformation: { schema: Transformation, examples: [GetTransformation.example.reply] },
  TransformationRevision: { schema: TransformationRevision, examples: [GetTransformationVersion.example.reply] },
  ValidationOutput: { schema: ValidationOutput },
  VersionDiff: { schema: VersionDiff, examples: [DiffVersions.example.reply] },
};

/** Registers the names with zod. Idempotent. */
export function nameSchemas(): void {
  // A custom check has no JSON Schema, so this supplies one.
  JsonObject.register(z.globalRegistry, { type: 'object' });
  for (const [id, { schema, examples }] of Object.entries(NAMED)) {
    // Parses the examples, so that they include the contract's defaults.
    schema.register(z.globalRegistry, { id, ...(examples && { examples: examples.map((one) => schema.parse(one)) }) });
  }
}

export type JsonSchema = Record<string, unknown>;

/** Collects the named JSON Schemas of one document. Other schemas stay inline. */
export class Components {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly responses: Record<string, JsonSchema> = {};
  private readonly converted = { input: new Map<z.ZodType, JsonSchema>(), output: new Map<z.ZodType, JsonSchema>() };

  /**
   * `input`: the form that callers send. `output`: the form that they receive. Converts each schema once, because every route has
   * the same errors.
   */
  of(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const known = this.converted[io].get(schema);
    if (known) return known;
    const made = this.convert(schema, io);
    this.converted[io].set(schema, made);
    return made;
  }

  private convert(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const converted = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: simplify });
    // A plain copy, without zod's marker.
    const { $schema: _, $defs = {}, ...root } = JSON.parse(JSON.stringify(converted)) as JsonSchema;
    const named = Object.entries($defs as Record<string, JsonSchema>);
    const names = new Map(named.map(([name, definition]) => [name, this.nameFor(name, definition)]));
    for (const [name, definition] of named) this.schemas[names.get(name) ?? name] = pointing(definition, names);
    return pointing(root, names);
  }

  /** A reference to the shared response of this name. Stays inline if another one has the name. */
  response(name: string, response: JsonSchema): JsonSchema {
    this.responses[name] ??= response;
    if (!isDeepStrictEqual(this.responses[name], response)) return response;
    return { $ref: `#/components/responses/${name}` };
  }

  /** Input and output schemas of the same name may differ, for example by defaults. */
  private nameFor(name: string, definition: JsonSchema): string {
    const known = this.schemas[name];
    const same = new Map([[name, name]]);
    return !known || isDeepStrictEqual(known, pointing(definition, same)) ? name : `${name}Input`;
  }
}

/** Removes keywords that tell a reader nothing, and keeps those that zod leaves out. */
function simplify({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema }): void {
  // zod leaves these out where a transform follows, because they might be of its result. In the annotations they never are.
  const { examples, default: implied } = (z.globalRegistry.get(zodSchema) ?? {}) as JsonSchema;
  if (examples !== undefined) jsonSchema['examples'] = examples;
  if (implied !== undefined) jsonSchema['default'] = implied;
  if (jsonSchema['additionalProperties'] === false) delete jsonSchema['additionalProperties'];
  // A query parameter is a text with a pattern. The document says what it means instead.
  if (jsonSchema['format'] !== undefined || jsonSchema['type'] !== 'string') delete jsonSchema['pattern'];
  if (jsonSchema['minimum'] === Number.MIN_SAFE_INTEGER) delete jsonSchema['minimum'];
  if (jsonSchema['maximum'] === Number.MAX_SAFE_INTEGER) delete jsonSchema['maximum'];
}

/** The schema with its references pointing to the document's components. */
function pointing(schema: JsonSchema, names: ReadonlyMap<string, string>): JsonSchema {
  const text = JSON.stringify(schema, (key, value: unknown) => {
    if (key !== '$ref' || typeof value !== 'string') return value;
    const name = value.replace('#/$defs/', '');
    return `#/components/schemas/${names.get(name) ?? name}`;
  });
  return JSON.parse(text) as JsonSchema;
}
