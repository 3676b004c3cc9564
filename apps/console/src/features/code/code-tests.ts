import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { answer, api, WeirError } from '../../api/client.js';
import type { Output } from '../../api/code.js';
import { type Model, metadataQuery, modelsQuery } from '../../api/schemas.js';
import type { Mark } from '../../components/editor/code-editor.js';
import type { EventField } from '../../lib/completion.js';
import { isRecord } from '../../lib/json.js';
import { storable } from '../../lib/storable.js';
import { typeText } from '../../lib/type-text.js';

/** Kinds of events whose samples are tests, and samples of each. */
const MODELS_MAX = 10;
const SAMPLES_EACH = 2;
/** Real events that the live code and the new code both run on. */
const REPLAYED = 50;

/** Real events to test with: a few of each kind that came last. Empty if none is kept. */
export const samplesQuery = (client: QueryClient) =>
  queryOptions({
    queryKey: ['samples'],
    staleTime: 60_000,
    queryFn: async () => {
      const models = await client.fetchQuery({ ...modelsQuery, staleTime: 60_000 });
      const latest = [...models].sort((one, other) => other.LastSeen.localeCompare(one.LastSeen)).slice(0, MODELS_MAX);
      const all = await Promise.all(
        latest.map(({ EventID }) => client.fetchQuery(metadataQuery(EventID)).catch(() => undefined)),
      );
      return all
        .flatMap((one) => (one?.SampledEvents ?? []).slice(0, SAMPLES_EACH))
        .filter(isRecord)
        .map(storable);
    },
  });

/** Runs what a publish of a library would change: the tests of the code that imports it, and its sampled events. */
export const runDependents = (versionId: string) =>
  answer(
    api.POST('/transformations/tests/run', {
      params: { query: { replaySamples: REPLAYED } },
      body: { libraries: [versionId] },
    }),
  );

/** Runs a revision on the server: on the events given, and beside the live code on sampled ones. */
export const runTests = (versionId: string, events: readonly Record<string, unknown>[]) =>
  answer(
    api.POST('/transformations/tests/run', {
      params: { query: { replaySamples: REPLAYED } },
      body: {
        transformations: [events.length > 0 ? { versionId, testInput: events as Record<string, never>[] } : versionId],
      },
    }),
  );

export type Report = Awaited<ReturnType<typeof runTests>>;
export type TestedCode = Output['transformations'][number];

/** Events that may become a test: those of the last run, and before one those that a run would take. */
export const testableIn = (tested: TestedCode | undefined, samples: readonly unknown[]): readonly unknown[] => [
  ...(tested?.testResult.results.flatMap(({ events = [] }) => events.map(({ input }) => input)) ?? []),
  ...samples,
];

/** Where the code failed, for the margin of the editor. */
export function marksOf(tested: TestedCode | undefined, name: string): Mark[] {
  const errors = tested?.testResult.results.flatMap((result) => result.errors) ?? [];
  return errors.flatMap(({ message, frame }) => (frame && frame.file === name ? [{ ...frame, message }] : []));
}

/** The test results of a refused publish. */
export function outputOf(error: unknown): Output | undefined {
  const body = error instanceof WeirError && isRecord(error.body) ? error.body['validationOutput'] : undefined;
  return isRecord(body) ? (body as unknown as Output) : undefined;
}

/** Keys of all kinds of events with their types, for completion. */
export const fieldsOf = (models: readonly Model[]): EventField[] =>
  models.flatMap(({ Schema }) =>
    isRecord(Schema) ? Object.entries(Schema).map(([path, type]) => ({ path, type: typeText(String(type)) })) : [],
  );
