import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Ksuid, Timestamp } from './ids.js';
import { FetchRecord } from './sandbox.js';
import { Text } from './text.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';

/** Assertions of one test. */
export const TEST_EXPECTATIONS_MAX = 50;
/** Messages of one test with details. */
export const TEST_MESSAGES_MAX = 50;
/** Test runs on one page of a list. */
export const TEST_RUNS_PAGE_SIZE = 50;

/** One assertion about a per-destination result. Exactly one of the three says what has to hold. */
export const TestExpectation = z
  .object({
    /** JSON Pointer (RFC 6901) into the result, e.g. `/data/0/destination_response_status/0`. */
    pointer: Text.max(1_024).regex(/^(\/.*)?$/s, 'must be a JSON Pointer: empty, or starting with /'),
    /** The same JSON value. */
    equals: z.unknown().optional(),
    /** Objects by their given keys, lists by containing each given item, texts by part. */
    includes: z.unknown().optional(),
    exists: z.boolean().optional(),
  })
  .refine((one) => [one.equals, one.includes, one.exists].filter((value) => value !== undefined).length === 1, {
    error: 'must have exactly one of equals, includes and exists',
  });
export type TestExpectation = z.output<typeof TestExpectation>;

/** Whether everything that was expected of a test held. */
export const TestVerdict = z.object({
  passed: z.boolean(),
  failures: z.array(
    z
      .object({ pointer: z.string(), expected: z.string(), actual: z.unknown().optional() })
      .describe('What did not hold'),
  ),
});
export type TestVerdict = z.output<typeof TestVerdict>;

/** How long each stage that ran took, over all events that came out. */
export const StageMilliseconds = z.object({
  user_transform: z.number().optional(),
  dest_transform: z.number().optional(),
  send_to_destination: z.number().optional(),
});
export type StageMilliseconds = z.output<typeof StageMilliseconds>;

/** Of one element of `data`, with `?details=true` only. */
export const StageDetails = z.object({
  /** Which of the messages it came from, counted from 0. */
  message: z.int(),
  /** The requests that were sent, or would be, as `curl` command lines; secrets stand as `***`. */
  requests: z.array(z.string()),
});
export type StageDetails = z.output<typeof StageDetails>;

/** Stored secrets that a test did without, because its `destinationConfig` led elsewhere (ruling 29). */
export const SecretsLeftOut = z.object({
  changed: z.array(z.string()).meta({ description: 'Variables that lead to another address than the stored ones' }),
  keys: z.array(z.string()).meta({ description: 'Variables whose stored secrets were left out' }),
});
export type SecretsLeftOut = z.output<typeof SecretsLeftOut>;

/** Of one per-destination result, with `?details=true` only. */
export const TestDetails = z.object({
  /** Under which the run can be looked up for seven days; missing when it could not be written down. */
  testId: Ksuid.optional(),
  milliseconds: StageMilliseconds.extend({ total: z.number() }),
  /** What the code wrote to its console. */
  logs: z.array(z.string()),
  /** Whom the code called, when it called anybody. */
  fetches: z.array(FetchRecord).optional(),
  /** Of what the request expected. */
  verdict: TestVerdict.optional(),
  /** Set when there were any. */
  secretsLeftOut: SecretsLeftOut.optional(),
});
export type TestDetails = z.output<typeof TestDetails>;

/** A test that was run with details, as a list shows it. */
export const TestRunSummary = z.object({
  id: Ksuid,
  destinationId: Ksuid,
  destinationName: z.string(),
  /** Set for a test of a source. */
  sourceId: Ksuid.optional(),
  createdAt: Timestamp,
  createdBy: z.string().optional().meta({ description: 'E-mail address of the token' }),
  passed: z.boolean().optional().meta({ description: 'Of a test that expected something' }),
});
export type TestRunSummary = z.output<typeof TestRunSummary>;

export const TestRun = TestRunSummary.extend({
  /** The messages and stages that were asked for; secrets stand as `***`. */
  request: JsonObject,
  /** As it was answered, to a reader without the right to see secrets. */
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
    /** From `next` of the page before. */
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
