import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Ksuid } from './ids.js';
import { DestinationRecord, Role } from './inventory.js';
import { StageDetails, TEST_EXPECTATIONS_MAX, TEST_MESSAGES_MAX, TestDetails, TestExpectation } from './test-runs.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** A destination kind in the form that its public endpoint returns (wire-facts 3.6). */
export const DestinationDefinition = z.object({
  name: z.string(),
  displayName: z.string(),
  config: z.object({
    destConfig: z.object({ defaultConfig: z.array(z.string()) }).catchall(z.array(z.string())),
    secretKeys: z.array(z.string()),
    /** Keys that determine where events go. Secrets stored for one address are never sent to another. */
    addressKeys: z.array(z.string()).default([]),
    supportedSourceTypes: z.array(z.string()),
    supportedConnectionModes: z.record(z.string(), z.array(z.string())),
    supportedMessageTypes: z.record(z.string(), z.array(z.string())),
    transformAtV1: z.string().optional(),
  }),
  /** JSON Schema (draft 2020-12) of the configuration. */
  configSchema: JsonObject,
  category: z.string().optional(),
});
export type DestinationDefinition = z.output<typeof DestinationDefinition>;

const exampleDefinition = {
  name: 'WEBHOOK',
  displayName: 'Webhook',
  config: {
    destConfig: { defaultConfig: ['webhookUrl', 'webhookMethod', 'headers'] },
    secretKeys: ['headers.to'],
    supportedSourceTypes: ['web', 'cloud'],
    supportedConnectionModes: { web: ['cloud'] },
    supportedMessageTypes: { cloud: ['track'] },
  },
  configSchema: { type: 'object' },
};

export const ListDefinitions = defineCall({
  subject: 'runner.definition.list.v1',
  request: z.object({ after: Text.optional() }),
  reply: z.object({ definitions: z.array(DestinationDefinition), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: {}, reply: { definitions: [exampleDefinition] } },
});

/** All flags are booleans. A missing flag is false, and without `stage` nothing is sent (ruling 18). */
export const StageFlags = z.object({
  user_transform: z.boolean().default(false),
  dest_transform: z.boolean().default(false),
  send_to_destination: z.boolean().default(false),
});
export type StageFlags = z.output<typeof StageFlags>;

/** One element of `data` (spec 2.5). The keys that are present show which stages ran (wire-facts 3.3). */
export const StageResults = z.object({
  user_transformed_payload: z.unknown().optional(),
  dest_transformed_payload: z.unknown().optional(),
  destination_response: z.unknown().optional(),
  destination_response_status: z.array(z.number().int()).optional(),
  details: StageDetails.optional(),
});
export type StageResults = z.output<typeof StageResults>;

/** The per-destination result (spec 2.5): `destination` with `data`, or `error`. */
export const DestinationTestResult = z.object({
  destinationId: Ksuid,
  destination: z.string().optional(),
  destinationName: z.string(),
  data: z.array(StageResults).optional(),
  error: z.string().optional(),
  suppressed: z
    .array(z.int())
    .optional()
    .meta({ description: 'Indexes of the messages whose user is suppressed. Live delivery stops such events' }),
  details: TestDetails.optional(),
});
export type DestinationTestResult = z.output<typeof DestinationTestResult>;

/** Runs the stages over one event for one destination. The request holds everything except the code (architecture section 3). */
export const TestDestination = defineCall({
  subject: 'runner.destination.test.v1',
  request: z.object({
    workspaceId: Ksuid,
    /** Only `admin` sees secrets of the payload in clear text (ruling 21). */
    role: Role,
    destination: DestinationRecord,
    /** Overrides for this request only. An address that the caller supplies never receives stored secrets. */
    configOverride: JsonObject.optional(),
    /**
     * The gateway has checked that `type` is supported. A list is allowed only with details. `data` then holds the results of all
     * messages in order.
     */
    message: z.union([JsonObject, z.array(JsonObject).min(1).max(TEST_MESSAGES_MAX)]),
    stage: StageFlags,
    /** Tests the destination even if it is disabled. */
    force: z.boolean(),
    sourceId: Ksuid.optional(),
    /** Name and type of the source, for `metadata(event)`. Missing if the gateway is of the release before. */
    source: z.object({ name: Text, type: Text }).optional(),
    /** Indexes of the messages whose user is suppressed. They are never sent. */
    suppressed: z.array(z.int().nonnegative()).optional(),
    /** Whether user code may call `fetch`. Defaults to no. */
    allowFetch: z.boolean().optional(),
    /** Adds {@link TestDetails} and stores the run. */
    details: z.boolean().optional(),
    /** Checked only with details. */
    expect: z.array(TestExpectation).max(TEST_EXPECTATIONS_MAX).optional(),
    /** E-mail address of the caller, for the list of test runs. */
    createdBy: Text.max(320).optional(),
  }),
  reply: DestinationTestResult,
  deadlineMs: 60_000,
  example: {
    request: {
      workspaceId: WORKSPACE,
      role: 'admin',
      destination: {
        id: ID,
        workspaceId: WORKSPACE,
        name: 'Hook',
        type: 'WEBHOOK',
        enabled: true,
        sealedConfig: 'v1.k1.sealed',
      },
      message: { type: 'track', event: 'Bought' },
      stage: { user_transform: false, dest_transform: false },
      force: false,
    },
    reply: { destinationId: ID, destination: 'WEBHOOK', destinationName: 'Hook', data: [{}] },
  },
});
