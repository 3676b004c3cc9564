import type { EventResult, JsonObject, ReplyOf, RunCode } from '@weir/contracts';

type StrayErrors = NonNullable<ReplyOf<typeof RunCode>['strayErrors']>;

/** The outputs and errors of one run, as a test shows them: in the order of the events, and errors with a position there. */
export function shownOutput(results: readonly EventResult[], strayErrors: StrayErrors): JsonObject[] {
  const own = results.flatMap(ownOutputs).map((output, at) => ({ at, output }));
  const strays = strayErrors.map(({ message, position: at = own.length }) => ({ at, output: { error: message } }));
  return [...results.flatMap(placedError), ...strays, ...own]
    .toSorted((left, right) => left.at - right.at)
    .map(({ output }) => output);
}

function ownOutputs(result: EventResult): JsonObject[] {
  if (result.status === 'error') return result.position === undefined ? [{ error: result.error.message }] : [];
  return result.status === 'ok' ? result.outputs : [];
}

function placedError(result: EventResult): { at: number; output: JsonObject }[] {
  if (result.status !== 'error' || result.position === undefined) return [];
  return [{ at: result.position, output: { error: result.error.message } }];
}
