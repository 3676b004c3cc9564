interface StrayError {
  message: string;
  /** The number of outputs before it. Undefined after all of them. */
  position?: number | undefined;
}

/** The result of user code for one event. */
type Result<Output> =
  | { status: 'ok'; outputs: Output[] }
  | { status: 'dropped' }
  | { status: 'error'; error: { message: string }; position?: number | undefined };

type Shown<Output> = Output | { error: string };

/** The outputs and errors of one run, as a test shows them: in the order of the events, and errors with a position there. */
export function shownOutput<Output>(
  results: readonly Result<Output>[],
  strayErrors: readonly StrayError[],
): Shown<Output>[] {
  const own = results.flatMap(ownOutputs).map((output, at) => ({ at, output }));
  const strays = strayErrors.map(({ message, position: at = own.length }) => ({ at, output: { error: message } }));
  return [...results.flatMap(placedError), ...strays, ...own]
    .toSorted((left, right) => left.at - right.at)
    .map(({ output }) => output);
}

function ownOutputs<Output>(result: Result<Output>): Shown<Output>[] {
  if (result.status === 'error') return result.position === undefined ? [{ error: result.error.message }] : [];
  return result.status === 'ok' ? result.outputs : [];
}

function placedError(result: Result<unknown>): { at: number; output: { error: string } }[] {
  if (result.status !== 'error' || result.position === undefined) return [];
  return [{ at: result.position, output: { error: result.error.message } }];
}
