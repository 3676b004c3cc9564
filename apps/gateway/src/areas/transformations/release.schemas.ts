import {
  invalidField,
  isAppError,
  type JsonObject,
  Ksuid,
  notFound,
  PUBLISH_ITEMS_MAX,
  type PublishItems,
  type ReplyOf,
  TESTS_MAX,
  type TestRelease,
  ValidationOutput,
} from '@weir/contracts';
import { z } from 'zod';
import { ifMatchTags } from '../../http/entity-tag.js';
import { parseJsonBody } from '../../http/json-body.js';
import { TestEvents } from './revision.schemas.js';

/** Characters of a version id that an error repeats. */
const VERSION_CHARS_MAX = 64;

/** A list of events, or a string that holds one: clients send both (wire-facts 1.8). */
const testInput = z.union([TestEvents, z.string()], { error: 'must be a list of events or a string that holds one' });

/** Treats null as absent. Clients written in Go send null for an empty list. */
const orNothing = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value): z.output<Schema> | undefined => value ?? undefined);

export const testCase = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  description: z.string().optional(),
  input: TestEvents,
  expectedOutput: orNothing(z.array(z.unknown())),
});

/** Also accepts an id alone. */
const versionOr = <Item extends z.ZodType>(item: Item) =>
  z.union([z.string(), item], { error: 'must be a version id, or an object with a versionId' });

const items = <Item extends z.ZodType>(item: Item) => orNothing(z.array(versionOr(item)).max(PUBLISH_ITEMS_MAX));

/** The header of a conditional change, for one of several objects. */
const ifMatch = orNothing(z.string()).meta({
  description:
    'Entity tags of the object, as in the header `If-Match`: if none is the current one, nothing is published and the answer is 412',
});
const transformationItem = z.object({
  versionId: z.string(),
  ifMatch,
  testInput: orNothing(testInput),
  testSuite: orNothing(z.array(testCase).max(TESTS_MAX)),
  saveTests: orNothing(z.boolean()).meta({
    description:
      'The suite takes the place of the saved tests, which do not run. A publish that passes saves it, together with the code',
  }),
});
const libraryItem = z.object({ versionId: z.string(), ifMatch });

export const ReleaseBody = z
  .object({
    transformations: items(transformationItem),
    libraries: items(libraryItem),
    /** Revision of the repository that holds the code. */
    commitId: orNothing(z.string().max(256)),
  })
  .meta({ id: 'PublishRequest', examples: [{ transformations: [{ versionId: '2nVbmVzvVS3oSZWHUWDq4pRdEWT' }] }] });
export type ReleaseBody = z.output<typeof ReleaseBody>;

export const Published = z
  .object({ published: z.literal(true), validationOutput: ValidationOutput })
  .meta({ id: 'Published' });
/** A form in which refusals are not errors. One client expects it (ruling 6). */
export const PublishedOrNot = z.object({
  published: z.boolean(),
  message: z.string().optional(),
  validationOutput: ValidationOutput,
});

/** Converts every form of the body to the registry's form. A malformed id is not found (ruling 26). */
export function releaseItems({ transformations = [], libraries = [] }: ReleaseBody): PublishItems {
  if (transformations.length + libraries.length === 0) {
    throw invalidField('transformations', 'or libraries must name at least one version');
  }
  return {
    transformations: transformations.map((item, index) => {
      if (typeof item === 'string') return { versionId: versionIdOf(item) };
      const field = `transformations.${index}`;
      const { testInput, testSuite, saveTests } = item;
      const input = testInput === undefined ? undefined : eventsOf(testInput, `${field}.testInput`);
      return { ...namedIn(item, field), testInput: input, testSuite, saveTests };
    }),
    libraries: libraries.map((item, index) =>
      typeof item === 'string' ? { versionId: versionIdOf(item) } : namedIn(item, `libraries.${index}`),
    ),
  };
}

const namedIn = ({ versionId, ifMatch }: z.output<typeof libraryItem>, field: string) => ({
  versionId: versionIdOf(versionId),
  ifMatch: ifMatchTags(ifMatch, `${field}.ifMatch`),
});

/** An id in a body that names a version to publish. A malformed one is not found (ruling 26). */
export function versionIdOf(text: string): string {
  if (Ksuid.safeParse(text).success) return text;
  throw notFound(`version ${text.slice(0, VERSION_CHARS_MAX)}`);
}

/** Applies the checks of a body to JSON inside JSON. */
function eventsOf(given: JsonObject[] | string, field: string): JsonObject[] {
  if (typeof given !== 'string') return given;
  const parsed = TestEvents.safeParse(parseText(given, field));
  if (parsed.success) return parsed.data;
  throw invalidField(field, 'must hold a JSON array of at most 1,000 events');
}

function parseText(text: string, field: string): unknown {
  try {
    return parseJsonBody(Buffer.from(text));
  } catch (error) {
    throw isAppError(error) ? invalidField(field, `must hold a JSON array of events: ${error.message}`) : error;
  }
}

/** `logs` of libraries are empty, because libraries do not run. */
const Output = z.object({ transformedEvents: z.array(z.unknown()), logs: z.array(z.string()) });
const identity = { id: z.string(), name: z.string() };

/** Test results in the CI action's form (wire-facts 1.9). The wire defines the casing of `transformerVersionID`. */
export const ActionResults = z.object({
  result: z.object({
    successTestResults: z.array(
      z.object({
        ...identity,
        transformerVersionID: z.string().optional(),
        result: z.object({ output: Output }),
      }),
    ),
    failedTestResults: z.array(
      z.object({
        ...identity,
        transformerVersionID: z.string().optional(),
        /** `output` is present if the code ran. It holds failed events as `{error}`, beside the others. */
        result: z.object({ error: z.string(), output: Output.optional() }),
      }),
    ),
  }),
});
export type ActionResults = z.output<typeof ActionResults>;

export function actionResults({ validationOutput, message }: ReplyOf<typeof TestRelease>): ActionResults {
  const transformations = validationOutput.transformations.map(({ id, name, versionId, testResult, ...rest }) => ({
    ...rest,
    about: { id, name, transformerVersionID: versionId },
    output: {
      transformedEvents: testResult.results.flatMap(({ actualOutput }) => actualOutput),
      logs: testResult.results.flatMap(({ logs = [] }) => logs),
    },
  }));
  const libraries = validationOutput.libraries.map(({ id, name, ...rest }) => ({
    ...rest,
    about: { id, name },
    output: { transformedEvents: [], logs: [] },
  }));
  const all = [...transformations, ...libraries];
  return {
    result: {
      successTestResults: all.filter(({ pass }) => pass).map(({ about, output }) => ({ ...about, result: { output } })),
      failedTestResults: all
        .filter(({ pass }) => !pass)
        .map(({ about, output, ...failed }) => ({
          ...about,
          result: { error: failed.message ?? message, ...(output.transformedEvents.length > 0 && { output }) },
        })),
    },
  };
}
