/**
 * Everything that crosses between processes: every subject, payload and error. No framework, no I/O.
 *
 * Glossary, one meaning each:
 * - revision: immutable code of a transformation or library, named by a version id
 * - published pointer: which revision is live
 * - release: a numbered change to what is live for a destination
 * - bundle: the code that runs together, a transformation with every library that it reaches
 * - regulation: the order to suppress one user, and to delete what destinations hold. Subjects call it `record`
 * - definition: a destination kind (WEBHOOK)
 * - destination: a configured instance of a kind in a workspace
 * - connection: lets a source send to a destination
 * - link: assigns a transformation to a destination
 * - trial: the first events of a new version, where automatic rollback is on
 * - batch: events of one source from one request, raw before suppression and accepted after it
 */
export { changedAddresses, isBelow } from './addresses.js';
export {
  hasOnlyId,
  isBrokerAtLeast,
  isBrokerReliable,
  RELIABLE_BROKER,
  RELIABLE_CLUSTER,
} from './broker.js';
export { type Call, defineCall, type ReplyOf, type RequestInputOf, type RequestOf } from './call.js';
export { chunksOf, inHalves } from './chunks.js';
export {
  isEmptySecret,
  MASK,
  mapSecrets,
  maskedConfig,
  secretValues,
  withoutSecrets,
} from './config-secrets.js';
export {
  CREDENTIALS_BYTES_MAX,
  CREDENTIALS_MAX,
  credentialAad,
  DeleteCredential,
  ListCredentials,
  PutCredential,
  ResealCredential,
  StoredCredential,
  usesCredentials,
} from './credentials.js';
export {
  CountDeliveries,
  DELIVERIES_PAGE_SIZE,
  DELIVERY_HOURS_MAX,
  DeadLetterStage,
  Delivery,
  DeliveryCounters,
  DeliveryHour,
  DeliveryStatus,
  GetDelivery,
  ListDeliveries,
  ListDeliveryHours,
  ListUsedVersions,
  REPLAY_IDS_MAX,
  ReplayDeliveries,
  ReplaySelection,
} from './deliveries.js';
export {
  AppError,
  type ErrorCode,
  type ErrorDetails,
  invalidField,
  isAppError,
  isAway,
  isErrorBody,
  nameTaken,
  notFound,
  unknownId,
} from './errors.js';
export {
  acceptedSubject,
  DeliveryBatch,
  DeliveryPart,
  deliverySubject,
  EventBatch,
  MESSAGE_TYPES,
  type MessageType,
  matchIdsOf,
  memberSubject,
  normalizeUserId,
  orderIdOf,
  partitionsReleasedSubject,
  rawSubject,
  sizedSubject,
  sizeOf,
  withoutSize,
} from './events.js';
export { EventEvidence, Replay, ValidationOutput } from './evidence.js';
export { DELETED_DESTINATIONS_MAX, FindDeletedDestinations } from './gateway.js';
export { identifiersOf, identifiersOfUsers } from './identifiers.js';
export { isJsonObject, JsonObject, Ksuid, Timestamp, Uuid } from './ids.js';
export {
  ConnectionRecord,
  DestinationRecord,
  INVENTORY_BUCKET,
  INVENTORY_MARKER,
  type InventoryObjectType,
  inventoryKey,
  ROLES,
  Role,
  type RoleName,
  roleName,
  SourceRecord,
  WorkspaceRecord,
} from './inventory.js';
export {
  BATCH_BYTES_MAX,
  BATCH_WAIT_MS_MAX,
  BUNDLE_BYTES_MAX,
  BUNDLE_LIBRARIES_MAX,
  CODE_BYTES_MAX,
  DELIVERY_TIMEOUT_MS,
  EVENT_BYTES_MAX,
  EVENT_DEPTH_MAX,
  INTAKE_BODY_BYTES_MAX,
  INVENTORY_PAGE_SIZE,
  NAME_CHARS_MAX,
  PARTITIONS,
  PAYLOAD_BYTES_MAX,
  PUBLISH_ITEMS_MAX,
  REGULATION_PAGE_SIZE,
  REGULATION_USERS_MAX,
  REPLAY_SAMPLES_MAX,
  RESPONSE_BYTES_MAX,
  TEST_SOURCE_CONCURRENCY,
  TEST_SOURCE_DESTINATIONS_MAX,
  TRIAL_EVENTS,
  VERSIONS_COUNT_DEFAULT,
  VERSIONS_COUNT_MAX,
} from './limits.js';
export {
  LiveOutcome,
  LiveOutcomes,
  liveAcceptedSubject,
  liveOutcomesSubject,
  SuppressedEvent,
  SuppressedEvents,
  suppressedEventsSubject,
} from './live.js';
export { type EventOrigin, eventMetadata, testMetadata } from './metadata.js';
export {
  CHANNELS_MAX,
  ChannelChoices,
  ChannelHealth,
  type ChannelSettings,
  ChannelType,
  channelAad,
  DeleteChannel,
  ListChannels,
  ListTroubles,
  PutChannel,
  QuietHours,
  ResealChannel,
  StoredChannel,
  TestChannel,
  TROUBLES,
  TROUBLES_SHOWN_MAX,
  Trouble,
  TroubleKind,
} from './notifications.js';
export { piecesWithIdsAsWritten, withIdsAsWritten, writtenForms } from './numbers.js';
export {
  type Health,
  healthCall,
  OPTIONAL_PROCESSES,
  PROCESSES,
  type ProcessName,
  ProcessReport,
  ROLL_CALL_SUBJECT,
} from './ops.js';
export { ListOrder, startAfter } from './order.js';
export { partitionOf, partitionOfBatch, spreadPartitionOf } from './partitions.js';
export {
  GetRangeReplay,
  ListRangeReplays,
  RANGE_REPLAY_RATE,
  RANGE_REPLAY_RATE_MAX,
  RANGE_REPLAYS_LISTED_MAX,
  RANGE_REPLAYS_OPEN_MAX,
  RangeReplay,
  RangeReplaySelection,
  StartRangeReplay,
  SteerRangeReplay,
} from './range-replays.js';
export {
  CreateLibrary,
  DeleteLibrary,
  GetLibrary,
  GetLibraryVersion,
  ListLibraries,
  ListLibraryUsages,
  ListLibraryVersions,
  UpdateLibrary,
  type WrittenLibrary,
} from './registry/libraries.js';
export { DeleteLink, GetLink, PutLink, Replaced, SetExternalId } from './registry/links.js';
export {
  BasedOn,
  Library,
  LibraryRevision,
  Transformation,
  TransformationRevision,
} from './registry/objects.js';
export {
  DEPENDENTS_MAX,
  ListVersionDestinations,
  type PublishItems,
  PublishRelease,
  TestRelease,
} from './registry/publishing.js';
export {
  DestinationRelease,
  GetBundle,
  GetDestinationRelease,
  ListReleasesSince,
  RELEASE_PUBLISHED_SUBJECT,
} from './registry/releases.js';
export { type CodeReach, ETAGS_MAX, ObjectStatus } from './registry/requests.js';
export {
  DEFAULT_EVENTS,
  GetSavedTests,
  SAVED_TESTS_BYTES_MAX,
  SavedTests,
  SetSavedTests,
  TESTS_MAX,
  TestCase,
} from './registry/saved-tests.js';
export {
  CreateTransformation,
  DeleteTransformation,
  GetTransformation,
  GetTransformationVersion,
  ListTransformations,
  ListTransformationVersions,
  RollbackTransformation,
  UpdateTransformation,
  type WrittenTransformation,
} from './registry/transformations.js';
export {
  ANSWER_LEASE_MS,
  ANSWERS_HELD_MS,
  HoldAnswers,
  RecalledAnswers,
  recalledAnswersSubject,
} from './regulation/answers.js';
export { AppendAudit, AUDIT_PAGE_SIZE, AuditAct, AuditEntry, ListAudit } from './regulation/audit.js';
export {
  CreateRegulation,
  IdempotencyClaim,
  PlannedDeletion,
  PlanRegulation,
  RecallRegulation,
  RegulationBudget,
} from './regulation/creation.js';
export {
  AbortDestinationTasks,
  DELETION_REQUESTED_SUBJECT,
  DeletionStatus,
  DeletionView,
  OverallDeletionStatus,
  PurgeDeliveryUsers,
  PurgeRunnerUsers,
  PurgeSchemaUsers,
} from './regulation/deletion.js';
export {
  DeletionReceipt,
  GetRegulationReceipt,
  ListReceiptKeys,
  ReceiptKey,
  SignedReceipt,
} from './regulation/receipts.js';
export {
  CancelRegulation,
  CheckSuppression,
  GetRegulation,
  ListedRegulation,
  ListRegulations,
  RegulatedUser,
  Regulation,
  RegulationFilter,
  RegulationType,
  SUPPRESSION_CHECK_BOUNDS,
} from './regulation/regulations.js';
export {
  DestinationDefinition,
  DestinationTestResult,
  ListDefinitions,
  StageFlags,
  StageResults,
  TestDestination,
} from './runner.js';
export {
  CheckCode,
  CODE_SWITCHED_SUBJECT,
  CodeBundle,
  CodeRuntime,
  CodeSwitched,
  EventResult,
  FetchCall,
  FetchUrl,
  RunCode,
  UserCredential,
  UserError,
} from './sandbox.js';
export {
  DiffVersions,
  DRIFT_KINDS,
  DRIFT_PAGE_SIZE,
  DriftNotice,
  GetJsonSchema,
  KeyFact,
  ListDrift,
  ListJsonSchemas,
  ListKeyFacts,
  ListModelDays,
  MODEL_DAYS_MAX,
  ModelDays,
  ObservedSchema,
  VersionDiff,
} from './schema-insights.js';
export {
  GetSourcePrivacy,
  ListPiiFlags,
  PiiFlag,
  PutSourcePrivacy,
  SourcePrivacy,
} from './schema-privacy.js';
export {
  EventMetadata,
  EventModel,
  EventVersion,
  FindModelOwner,
  GetKeyCounts,
  GetMissingKeys,
  GetModelMetadata,
  GetVersionMetadata,
  ListModels,
  ListVersions,
  SCHEMA_PAGE_ROWS_MAX,
} from './schemas.js';
export { serverUrls } from './server-urls.js';
export {
  hasWebhookSecretBytes,
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_SECRET_FORM,
  type WebhookMessage,
  webhookHeaders,
  webhookSecret,
  webhookSignature,
} from './standard-webhooks.js';
export {
  GetTestRun,
  ListTestRuns,
  SecretsLeftOut,
  StageDetails,
  StageMilliseconds,
  TEST_EXPECTATIONS_MAX,
  TEST_MESSAGES_MAX,
  TEST_RUNS_PAGE_SIZE,
  TestDetails,
  TestExpectation,
  TestRun,
  TestRunSummary,
  TestVerdict,
} from './test-runs.js';
export { indexOfText, isStorableText, storableText, Text } from './text.js';
export {
  EventTrace,
  GetTrace,
  isTraced,
  ListTraces,
  TRACE_BYTES_MAX,
  TRACE_STEPS_MAX,
  TRACES_KEPT_DAYS,
  TRACES_PAGE_SIZE,
  TRACES_WORKSPACE_DAY_BYTES,
  TraceChange,
  TraceCode,
  TraceDestination,
  TraceStatus,
  TraceStep,
} from './traces.js';
export {
  AutoRollback,
  GetAutoRollback,
  ReportTrial,
  RevertTrial,
  SetAutoRollback,
  TRIALS_SHOWN_MAX,
  Trial,
  TrialState,
} from './trials.js';
export {
  DELETION_PROMISE_HOURS,
  ListOverdueDeletions,
  ListRollbacks,
  ListSourceActivity,
  TROUBLE_HOURS,
  TROUBLE_ROWS_EACH,
  TROUBLE_WORKSPACES_MAX,
} from './troubles.js';
