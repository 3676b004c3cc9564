import {
  CountDeliveries,
  Delivery,
  DeliveryCounters,
  DestinationDefinition,
  DestinationTestResult,
  DiffVersions,
  DriftNotice,
  EventMetadata,
  EventModel,
  EventVersion,
  GetModelMetadata,
  GetTransformation,
  GetTransformationVersion,
  JsonObject,
  KeyFact,
  Library,
  LibraryRevision,
  ListDefinitions,
  ListDeliveries,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModels,
  ListPiiFlags,
  ListRegulations,
  ObservedSchema,
  PiiFlag,
  RegulationRecord,
  StageDetails,
  StageFlags,
  StageResults,
  TestDetails,
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
  DeliveryCounters: { schema: DeliveryCounters, examples: CountDeliveries.example.reply.counters },
  DestinationDefinition: { schema: DestinationDefinition, examples: ListDefinitions.example.reply.definitions },
  DestinationTestResult: { schema: DestinationTestResult },
  DriftNotice: { schema: DriftNotice, examples: ListDrift.example.reply.notices },
  EventMetadata: { schema: EventMetadata, examples: [GetModelMetadata.example.reply] },
  EventModel: { schema: EventModel, examples: ListModels.example.reply.models },
  EventVersion: { schema: EventVersion },
  KeyFact: { schema: KeyFact, examples: ListKeyFacts.example.reply.keys },
  Library: { schema: Library },
  LibraryRevision: { schema: LibraryRevision },
  ObservedSchema: { schema: ObservedSchema, examples: ListJsonSchemas.example.reply.schemas },
  PiiFlag: { schema: PiiFlag, examples: ListPiiFlags.example.reply.flags },
  RegulationRecord: { schema: RegulationRecord, examples: ListRegulations.example.reply.records },
  StageDetails: { schema: StageDetails },
  StageFlags: { schema: StageFlags },
  StageResults: { schema: StageResults },
  TestDetails: { schema: TestDetails },
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
