import type { JsonObject } from '../project/json.js';

/** The result of user code for one event, in the form of a server. */
export type EventResult =
  | { status: 'ok'; outputs: JsonObject[] }
  | { status: 'dropped' }
  | { status: 'error'; error: UserError; position?: number };

export interface UserError {
  message: string;
  frame?: { file: string; line: number; column: number };
}

export type StrayError = UserError & { position?: number };

/** The outputs and errors of one run, in the order of a server's tests: by event, and errors with a position there. */
export function shownOutput(results: readonly EventResult[], strayErrors: readonly StrayError[]): JsonObject[] {
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
