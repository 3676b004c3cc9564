import {
  DestinationTestResult,
  isJsonObject,
  JsonObject,
  Ksuid,
  MESSAGE_TYPES,
  StageFlags,
  TEST_EXPECTATIONS_MAX,
  TEST_MESSAGES_MAX,
  TestExpectation,
  TestRun,
  TestRunSummary,
  Text,
} from '@weir/contracts';
import { z } from 'zod';
import { pathId, pathText, queryBooleanText, queryFlag } from '../../http/fields.js';

/** Accepts any text. A malformed id is not found, and the checks of the body come first (wire-facts 3.2). */
export const TestPath = z.object({ id: pathText });
export type TestPath = z.output<typeof TestPath>;

export const TestQuery = z.object({
  /** Only the literal `true` forces (spec 4.3). No other spelling may reach a destination that a user disabled. */
  force: queryBooleanText.transform((text) => text === 'true').meta({ description: '`true` tests what is disabled' }),
  details: queryFlag.meta({
    description: '`true` adds times, logs and requests, takes several messages and `expect`, and keeps the run',
  }),
});
export type TestQuery = z.output<typeof TestQuery>;

/** Without a stage, both transformations run and nothing is sent. An absent flag is false (ruling 18). */
const stage = StageFlags.default({ user_transform: true, dest_transform: true, send_to_destination: false });

const event = { type: 'object', required: ['type'], properties: { type: { enum: [...MESSAGE_TYPES] } } };
/** Replaces any other value with `{}`: it lacks the event's type, which has its own error text. */
const message = z
  .unknown()
  .optional()
  .transform((value): JsonObject | unknown[] => (isJsonObject(value) || Array.isArray(value) ? value : {}))
  .meta({
    anyOf: [event, { type: 'array', minItems: 1, maxItems: TEST_MESSAGES_MAX, items: event }],
    description: 'One event; with `details=true` also a list',
  });

export const Expectations = z.array(TestExpectation).max(TEST_EXPECTATIONS_MAX);
/** Used with `details=true` only. Otherwise it is ignored like any unknown key. */
const expect = z
  .unknown()
  .optional()
  .meta({
    type: 'array',
    maxItems: TEST_EXPECTATIONS_MAX,
    description: 'With `details=true`: what has to hold for each per-destination result',
    items: {
      type: 'object',
      required: ['pointer'],
      properties: { pointer: { type: 'string' }, equals: {}, includes: {}, exists: { type: 'boolean' } },
    },
  });

export const TestSourceBody = z.object({ message, stage, expect });
export type TestSourceBody = z.output<typeof TestSourceBody>;

/** `destinationConfig` overrides the stored configuration for this request only (spec 4.3 rule 5). */
export const TestDestinationBody = TestSourceBody.extend({ destinationConfig: JsonObject.optional() });
export type TestDestinationBody = z.output<typeof TestDestinationBody>;

export const TestSourceResults = z.array(DestinationTestResult);

export const TestRunPath = z.object({ id: pathId('test run') });
export type TestRunPath = z.output<typeof TestRunPath>;

export const TestRunsQuery = z.object({
  destinationId: Ksuid.optional(),
  sourceId: Ksuid.optional(),
  /** The cursor in `paging.next` of the previous page. Keep that page's filters. */
  after_cursor: Text.max(64).optional(),
});
export type TestRunsQuery = z.output<typeof TestRunsQuery>;

export const TestRunPage = z.object({
  data: z.array(TestRunSummary),
  paging: z.object({ next: z.string().optional() }),
});
export const TestRunAnswer = TestRun;
