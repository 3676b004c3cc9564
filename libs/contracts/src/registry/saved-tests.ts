import { z } from 'zod';
import { defineCall } from '../call.js';
import { MESSAGE_TYPES, type MessageType } from '../events.js';
import { type JsonObject, Timestamp } from '../ids.js';
import { Text } from '../text.js';
import { AT, exampleOne } from './objects.js';
import { Events, one } from './requests.js';

/** Tests of one transformation, in a request or saved. */
export const TESTS_MAX = 50;
/** JSON bytes of the saved tests of one transformation. Each publish reads them, beside the code. */
export const SAVED_TESTS_BYTES_MAX = 131_072;

/** An input and the output that it must have. Without `expectedOutput` the code only has to run. */
export const TestCase = z.object({
  id: Text.optional(),
  name: Text.optional(),
  description: Text.optional(),
  input: Events,
  expectedOutput: z.array(z.unknown()).optional(),
});
export type TestCase = z.output<typeof TestCase>;

const tests = z.array(TestCase).max(TESTS_MAX);

/** `updatedAt` and `updatedBy` are missing until tests are saved. */
export const SavedTests = z.object({ tests, updatedBy: z.string().optional(), updatedAt: Timestamp.optional() });
export type SavedTests = z.output<typeof SavedTests>;

const example = {
  tests: [{ name: 'masks the address', input: [{ email: 'a@example.com' }], expectedOutput: [{ email: '***' }] }],
};
const exampleReply = { ...example, updatedBy: 'a@example.com', updatedAt: AT };

/** `not_found` if the transformation does not exist. */
export const GetSavedTests = defineCall({
  subject: 'registry.transformation.get-tests.v1',
  request: z.object(one),
  reply: SavedTests,
  deadlineMs: 5_000,
  example: { request: exampleOne, reply: exampleReply },
});

/** Replaces all saved tests of a transformation. Every later publish runs them, beside its own. */
export const SetSavedTests = defineCall({
  subject: 'registry.transformation.set-tests.v1',
  request: z.object({ ...one, tests, by: Text }),
  reply: SavedTests,
  deadlineMs: 5_000,
  example: { request: { ...exampleOne, ...example, by: 'a@example.com' }, reply: exampleReply },
});

const SENT_AT = '2026-01-01T00:00:00.000Z';

const FIELDS: Record<MessageType, JsonObject> = {
  identify: { traits: { name: 'Ada Example', email: 'ada@example.com', plan: 'free' } },
  track: { event: 'Order Completed', properties: { orderId: 'order-1', revenue: 12.5, currency: 'EUR', products: [] } },
  page: { name: 'Home', properties: { title: 'Home', url: 'https://example.com/', path: '/', referrer: '' } },
  screen: { name: 'Main', properties: { title: 'Main' } },
  group: { groupId: 'group-1', traits: { name: 'Example Ltd', employees: 20 } },
  alias: { previousId: 'user-0' },
};

/** Default test events: one of each type, with the fields that every real event has. */
export const DEFAULT_EVENTS: readonly JsonObject[] = MESSAGE_TYPES.map((type) => ({
  type,
  messageId: `test-${type}`,
  userId: 'user-1',
  anonymousId: 'anonymous-1',
  channel: 'server',
  context: { library: { name: 'weir-test', version: '1.0.0' }, ip: '192.0.2.1', locale: 'en-GB', traits: {} },
  integrations: { All: true },
  originalTimestamp: SENT_AT,
  sentAt: SENT_AT,
  receivedAt: SENT_AT,
  timestamp: SENT_AT,
  ...FIELDS[type],
}));
