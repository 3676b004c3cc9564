/**
 * Runs inside the isolate, before and around user code. It is the only thing that user code finds there beside the
 * language itself: no host function, no `Reference`, only text goes in and out (security-reliability 3.1, rule 4).
 * Whatever user code changes in its own realm, it changes for itself: the context is thrown away after the run.
 * All of `guest/` is joined to one module (`child/guest-code.ts`), so top-level names are unique across its files.
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

/** What to do and the events, before user code is loaded. */
export function receive(settingsJson: string, joined: string, lengthsJson: string): void {
  readSettings(settingsJson);
  inputs = inputsOf(joined, lengthsJson);
}

/**
 * Called by the entry module once user code is loaded. Everything that can happen has happened when the call and its
 * microtasks are done.
 */
export function begin(code: Code): void {
  if (settings.kind !== 'check-library') {
    const { isBatch, transform } = entryOf(code);
    hasBegun = true;
    if (settings.kind === 'run') startAll(isBatch, transform);
  }
  hasBegun = true;
}

/** The one function to call, or an error when there is none or a choice. */
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
 * All that came of it, for each caller. `limitMs` says that the run was ended at that limit; `null`: nothing was begun. Empty when user
 * code did not come to the end of its loading: it waits at module level for what never comes.
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
