import type { ReplyOf, TestRelease } from '@weir/contracts';
import { z } from 'zod';

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
