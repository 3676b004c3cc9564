import { z } from 'zod';
import { defineCall } from '../call.js';
import { Timestamp } from '../ids.js';
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
