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
import { pageCursor, pathId, pathText, queryBooleanText, queryFlag } from '../../http/fields.js';
import { CursorPaging } from '../../http/lists.js';

/** Accepts any text. A malformed id is not found, and the checks of the body come first (wire-facts 3.2). */
export const TestPath = z.object({ id: pathText.meta({ description: 'Id of the destination or source' }) });
export type TestPath = z.output<typeof TestPath>;

export const TestQuery = z.object({
  /** Only the literal `true` forces (spec 4.3). No other spelling may reach a destination that a user disabled. */
  force: queryBooleanText
    .transform((text) => text === 'true')
    .meta({ description: '`true` also tests disabled sources, destinations and connections' }),
  details: queryFlag.meta({
    description: '`true` adds times, logs and requests, allows several messages and `expect`, and stores the run',
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
    description: 'One event, or with `details=true` a list of events',
  });

export const Expectations = z.array(TestExpectation).max(TEST_EXPECTATIONS_MAX);
/** Used with `details=true` only. Otherwise it is ignored like any unknown key. */
const expect = z
  .unknown()
  .optional()
  .meta({
    type: 'array',
    maxItems: TEST_EXPECTATIONS_MAX,
    description: 'With `details=true`: conditions that each result of a destination must meet',
    items: {
      type: 'object',
      required: ['pointer'],
      properties: { pointer: { type: 'string' }, equals: {}, includes: {}, exists: { type: 'boolean' } },
    },
  });

const EXAMPLE = { message: { type: 'track', userId: 'u1', event: 'Order Placed', properties: { total: 42 } } };

export const TestSourceBody = z
  .object({ message, stage, expect })
  .meta({ id: 'TestSourceRequest', examples: [EXAMPLE] });
export type TestSourceBody = z.output<typeof TestSourceBody>;

/** `destinationConfig` overrides the stored configuration for this request only (spec 4.3 rule 5). */
export const TestDestinationBody = TestSourceBody.extend({ destinationConfig: JsonObject.optional() }).meta({
  id: 'TestDestinationRequest',
  examples: [EXAMPLE],
});
export type TestDestinationBody = z.output<typeof TestDestinationBody>;

export const TestSourceResults = z.array(DestinationTestResult);

export const TestRunPath = z.object({ id: pathId('test run') });
export type TestRunPath = z.output<typeof TestRunPath>;

export const TestRunsQuery = z.object({
  destinationId: Ksuid.optional().meta({ description: 'Only tests of this destination' }),
  sourceId: Ksuid.optional().meta({ description: 'Only tests of this source' }),
  after_cursor: pageCursor(Text.max(64)),
});
export type TestRunsQuery = z.output<typeof TestRunsQuery>;

export const TestRunPage = z.object({
  data: z.array(TestRunSummary),
  paging: CursorPaging,
});
export const TestRunAnswer = TestRun;

/** Refusals of an event or of its source have only a message (spec section 7). */
export const TestRefusal = z.object({ message: z.string() }).meta({ id: 'TestRefusal' });
