import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Ksuid, Timestamp } from './ids.js';
import { FetchCall } from './sandbox.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** Assertions per test. */
export const TEST_EXPECTATIONS_MAX = 50;
/** Messages per test with details. */
export const TEST_MESSAGES_MAX = 50;
/** Test runs per page of a list. */
export const TEST_RUNS_PAGE_SIZE = 50;

/** One assertion about a per-destination result. It has exactly one of `equals`, `includes` and `exists`. */
export const TestExpectation = z
  .object({
    /** JSON Pointer (RFC 6901) into the result, for example `/data/0/destination_response_status/0`. */
    pointer: Text.max(1_024).regex(/^(\/.*)?$/s, 'must be a JSON Pointer: empty, or starting with /'),
    /** The value must be equal as JSON. */
    equals: z.unknown().optional(),
    /** Objects match by the given keys, lists if they contain each given item, texts by substring. */
    includes: z.unknown().optional(),
    exists: z.boolean().optional(),
  })
  .refine((one) => [one.equals, one.includes, one.exists].filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of equals, includes and exists',
  });
export type TestExpectation = z.output<typeof TestExpectation>;

/** Whether all expectations of a test held. */
export const TestVerdict = z.object({
  passed: z.boolean(),
  failures: z.array(
    z
      .object({ pointer: z.string(), expected: z.string(), actual: z.unknown().optional() })
      .describe('Conditions that were not met'),
  ),
});
export type TestVerdict = z.output<typeof TestVerdict>;

/** How long each stage took over all output events. Only stages that ran are present. */
export const StageMilliseconds = z.object({
  user_transform: z.number().optional(),
  dest_transform: z.number().optional(),
  send_to_destination: z.number().optional(),
});
export type StageMilliseconds = z.output<typeof StageMilliseconds>;

/** Details of one element of `data`, only with `?details=true`. */
export const StageDetails = z.object({
  /** Index of the message that it came from, starting at 0. */
  message: z.int(),
  /** The requests that were or would be sent, as `curl` command lines. Secrets are shown as `***`. */
  requests: z.array(z.string()),
});
export type StageDetails = z.output<typeof StageDetails>;

/** Stored secrets that a test did not use, because its `destinationConfig` named another address (ruling 29). */
export const SecretsLeftOut = z.object({
  changed: z.array(z.string()).meta({ description: 'Variables that lead to another address than the stored ones' }),
  keys: z.array(z.string()).meta({ description: 'Variables whose stored secrets were left out' }),
});
export type SecretsLeftOut = z.output<typeof SecretsLeftOut>;

/** Details of one per-destination result, only with `?details=true`. */
export const TestDetails = z.object({
  /** Id for looking up the run for seven days. Missing when the run could not be stored. */
  testId: Ksuid.optional(),
  milliseconds: StageMilliseconds.extend({ total: z.number() }),
  /** Console output of the code. */
  logs: z.array(z.string()),
  /** The addresses that the code called. Absent without calls. */
  fetches: z.array(FetchCall).optional(),
  /** Result of the expectations in the request. */
  verdict: TestVerdict.optional(),
  /** Set when secrets were left out. */
  secretsLeftOut: SecretsLeftOut.optional(),
});
export type TestDetails = z.output<typeof TestDetails>;

/** A test that ran with details, as a list shows it. */
export const TestRunSummary = z.object({
  id: Ksuid,
  destinationId: Ksuid,
  destinationName: z.string(),
  /** Set for a test of a source. */
  sourceId: Ksuid.optional(),
  createdAt: Timestamp,
  createdBy: z.string().optional().meta({ description: 'E-mail address of the token' }),
  passed: z.boolean().optional().meta({ description: 'Only for tests with `expect`' }),
});
export type TestRunSummary = z.output<typeof TestRunSummary>;

export const TestRun = TestRunSummary.extend({
  /** The requested messages and stages. Secrets are shown as `***`. */
  request: JsonObject,
  /** The answer as a reader without access to secrets sees it. */
  result: JsonObject,
});
export type TestRun = z.output<typeof TestRun>;

const exampleRun = {
  id: ID,
  destinationId: ID,
  destinationName: 'Hook',
  createdAt: '2026-01-01T00:00:00.000Z',
  passed: true,
};

/** Newest first. */
export const ListTestRuns = defineCall({
  subject: 'runner.test.list-runs.v1',
  request: z.object({
    workspaceId: Ksuid,
    destinationId: Ksuid.optional(),
    sourceId: Ksuid.optional(),
    /** `next` of the previous page. */
    cursor: Text.max(64).optional(),
  }),
  reply: z.object({ runs: z.array(TestRunSummary), next: z.string().optional() }),
  deadlineMs: 5_000,
  example: { request: { workspaceId: WORKSPACE }, reply: { runs: [exampleRun] } },
});

/** Errors: `not_found`. */
export const GetTestRun = defineCall({
  subject: 'runner.test.get-run.v1',
  request: z.object({ workspaceId: Ksuid, id: Ksuid }),
  reply: TestRun,
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: ID },
    reply: { ...exampleRun, request: { message: { type: 'track' } }, result: { destinationId: ID } },
  },
});
