/**
 * Runs inside the isolate, around user code. User code finds nothing there but this driver and the language. There is no host
 * function and no `Reference`, and only text goes in and out (security-reliability 3.1, rule 4). Changes to the realm end with
 * the run: its context is thrown away, or `watch.ts` finds them before the next run in it. The build bundles all of `guest/` into
 * one module, `dist/guest-bundle.js`.
 */
import { runBatch } from './batch.js';
import { type GuestRun, runEach } from './each.js';
import { resetFetches } from './fetch.js';
import { type Inputs, inputsOf } from './inputs.js';
import { newList, PlainError, resetPatterns } from './primordials.js';
import { readSettings, settings } from './settings.js';
import { watchLanguage } from './watch.js';

export { settleFetches, takeFetches } from './fetch.js';
export { logsJson } from './log.js';
export { furnish } from './realm.js';

type Code = Record<string, unknown>;
type Callable = (argument: unknown, metadata: (event: unknown) => unknown) => unknown;

let inputs = newList<Inputs>();
const runs = newList<GuestRun>();
let hasBegun = false;
let loaded: Code | undefined;
let isUntouched = () => false;
/** The language was found as it was, and nothing has run since. */
let isInspected = false;

/** Takes the settings and the events before user code is loaded. */
export function receive(settingsJson: string, joined: string, lengthsJson: string): void {
  readSettings(settingsJson);
  inputs = inputsOf(joined, lengthsJson);
}

/** Called before user code is loaded, if more than one run may take place here. */
export function watch(): void {
  isUntouched = watchLanguage();
}

/** Looks for changes of the language. Called when the answer of a run is out, so that no call waits for it. */
export function inspect(): void {
  isInspected = isUntouched();
}

/**
 * Runs further events of code that is loaded. Returns their results if nothing waits, which saves the call of `finish`. Returns
 * `touched`, and runs nothing, if the language is not as it was.
 */
export function again(settingsJson: string, joined: string, lengthsJson: string): string {
  if (!loaded || !(isInspected || isUntouched())) return 'touched';
  isInspected = false;
  runs.length = 0;
  hasBegun = false;
  resetFetches();
  resetPatterns();
  receive(settingsJson, joined, lengthsJson);
  begin(loaded);
  return isComplete() ? groupsText(false) : '';
}

/** Calls of `fetch` may be under way even if all events have their results. */
function isComplete(): boolean {
  if (settings.allowFetch) return false;
  for (let index = 0; index < runs.length; index += 1) if (!runs[index]?.isComplete()) return false;
  return true;
}

/** Called by the entry module once user code is loaded. When this call and its microtasks are done, nothing else can happen. */
export function begin(code: Code): void {
  if (settings.action !== 'check-library') {
    const { isBatch, transform } = entryOf(code);
    hasBegun = true;
    loaded = code;
    if (settings.action === 'run') startAll(isBatch, transform);
  }
  hasBegun = true;
}

const NONE = 'none: start with export function transformEvent(event) { return event; }';

/** Returns the function to call. Throws if the code exports none or both. */
function entryOf(code: Code): { isBatch: boolean; transform: Callable } {
  const isEach = typeof code['transformEvent'] === 'function';
  const isBatch = typeof code['transformBatch'] === 'function';
  if (isEach === isBatch) {
    const found = isEach ? 'transformEvent,transformBatch: export only one of them' : NONE;
    throw new PlainError(`Expected one of transformEvent,transformBatch. Found ${found}`);
  }
  return { isBatch, transform: code[isBatch ? 'transformBatch' : 'transformEvent'] as Callable };
}

function startAll(isBatch: boolean, transform: Callable): void {
  for (let index = 0; index < inputs.length; index += 1) {
    const own = inputs[index] as Inputs;
    if (!isBatch) runs[index] = runEach(own, transform);
    else if (!settings.isPartial) runs[index] = runBatch(own, transform);
  }
}

/**
 * Returns the results of each caller in a line, with `null` for one whose events were not begun. `limitMs` means that the run was
 * ended at that limit. Empty if user code never finished loading, for example because it waits at module level forever.
 */
export function finish(limitMs?: number): string {
  if (!hasBegun) return '';
  let isLoose = limitMs !== undefined;
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index] as GuestRun;
    if (limitMs === undefined) run.settle();
    else if (run.interrupt(limitMs)) isLoose = false;
  }
  return groupsText(isLoose);
}

function groupsText(isLoose: boolean): string {
  let groups = '';
  for (let index = 0; index < inputs.length; index += 1) {
    groups += `${index === 0 ? '' : '\n'}${runs[index]?.text(isLoose) ?? 'null'}`;
  }
  return groups;
}
