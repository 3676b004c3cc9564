/**
 * Runs inside the isolate, around user code. User code finds nothing there but this driver and the language. There is no host
 * function and no `Reference`, and only text goes in and out (security-reliability 3.1, rule 4). Changes to the realm end with
 * the run because its context is thrown away. All of `guest/` becomes one module (`child/guest-code.ts`), so top-level names are
 * unique across its files.
 */
import { runBatch } from './batch.js';
import { runEach } from './each.js';
import type { GuestRun } from './guest-run.js';
import { type Inputs, inputsOf } from './inputs.js';
import { newList, PlainError } from './primordials.js';
import { readSettings, settings } from './settings.js';

export { settleFetches, takeFetches } from './fetch.js';
export { logsJson } from './log.js';
export { furnish } from './realm.js';

type Code = Record<string, unknown>;
type Callable = (argument: unknown, metadata: (event: unknown) => unknown) => unknown;

let inputs = newList<Inputs>();
const runs = newList<GuestRun>();
let hasBegun = false;

/** Takes the settings and the events before user code is loaded. */
export function receive(settingsJson: string, joined: string, lengthsJson: string): void {
  readSettings(settingsJson);
  inputs = inputsOf(joined, lengthsJson);
}

/** Called by the entry module once user code is loaded. When this call and its microtasks are done, nothing else can happen. */
export function begin(code: Code): void {
  if (settings.kind !== 'check-library') {
    const { isBatch, transform } = entryOf(code);
    hasBegun = true;
    if (settings.kind === 'run') startAll(isBatch, transform);
  }
  hasBegun = true;
}

/** Returns the function to call. Throws if the code exports none or both. */
function entryOf(code: Code): { isBatch: boolean; transform: Callable } {
  const isEach = typeof code['transformEvent'] === 'function';
  const isBatch = typeof code['transformBatch'] === 'function';
  if (isEach === isBatch) {
    const found = isEach ? 'transformEvent,transformBatch' : '';
    throw new PlainError(`Expected one of transformEvent,transformBatch. Found ${found}`);
  }
  return { isBatch, transform: code[isBatch ? 'transformBatch' : 'transformEvent'] as Callable };
}

function startAll(isBatch: boolean, transform: Callable): void {
  for (let index = 0; index < inputs.length; index += 1) {
    const own = inputs[index] as Inputs;
    if (!isBatch) runs[index] = runEach(own, transform);
    else if (!settings.isPart) runs[index] = runBatch(own, transform);
  }
}

/**
 * Returns the results of each caller, with `null` for one whose events were not begun. `limitMs` means that the run was ended at
 * that limit. Empty if user code never finished loading, for example because it waits at module level forever.
 */
export function finish(limitMs?: number): string {
  if (!hasBegun) return '';
  let isLoose = limitMs !== undefined;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index] as GuestRun;
    if (limitMs === undefined) run.settle();
    else if (run.interrupt(limitMs)) isLoose = false;
  }
  let groups = '';
  for (let index = 0; index < inputs.length; index += 1) {
    groups += `${index === 0 ? '' : ','}${runs[index]?.text(isLoose) ?? 'null'}`;
  }
  return `{"groups":[${groups}]}`;
}
