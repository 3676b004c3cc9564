import { Context, REASONS } from './context.js';
import { evaluate } from './expressions.js';
import { exportIn } from './modules.js';
import { type ModuleSource, parseModule, TooLongError } from './source.js';
import { State } from './state.js';
import { walk, walkRoutine } from './statements.js';
import type { FreshVerdict, Problem, Sources, Verdict } from './verdict.js';

/** More characters than this, in code and libraries together, are not analysed. */
const CHARS_MAX = 131_072;
/** Each walk takes time in proportion to the code. Code that teaches something new more often is not analysed further. */
const WALKS_MAX = 16;
const ENTRIES = ['transformEvent', 'transformBatch'];

/**
 * Says whether the code may run in a context that stays. Never throws, and takes time in proportion to the length of the code, up
 * to a limit. Beyond it, and for anything that it does not understand, the verdict is `fresh`.
 */
export function runtimeOf(sources: Sources): Verdict {
  try {
    return verdictOn(sources);
  } catch (error) {
    if (error instanceof TooLongError) return unread('is too long to follow');
    if (error instanceof RangeError) return unread('is nested too deeply to follow');
    return unread('cannot be read');
  }
}

function verdictOn({ code, libraries }: Sources): Verdict {
  const chars = libraries.reduce((sum, library) => sum + library.code.length, code.length);
  if (chars > CHARS_MAX) return unread('is too long to follow');
  const modules = [parseModule(code)];
  for (const library of libraries) modules.push(parseModule(library.code, library.importName));
  const state = new State(modules);
  for (let walks = 0; walks < WALKS_MAX; walks += 1) {
    state.hasChanged = false;
    state.problem = undefined;
    walkAll(state, walks % 2 === 1);
    if (!state.hasChanged) return state.problem ? fresh(state.problem) : { runtime: 'warm' };
  }
  return unread('is too intricate to follow');
}

/** Every second walk goes backwards: arguments travel from callers to what is called, and results the other way. */
function walkAll(state: State, isBackwards: boolean): void {
  for (const source of state.modules) walk(source.program, new Context(state, source, undefined, evaluate));
  const known = isBackwards ? [...state.routines.values()].reverse() : state.routines.values();
  for (const { routine, source } of known) walkRoutine(routine, new Context(state, source, routine, evaluate));
  openEntries(state);
}

/** The driver calls what the code exports, with events. */
function openEntries(state: State): void {
  const [code] = state.modules;
  if (!code) return;
  for (const name of ENTRIES) {
    const value = exportIn(code, name, state);
    if (value?.kind === 'code') value.routine?.loosen();
    else if (value && value.kind !== 'plain') reportEntry(code, name, state);
  }
}

function reportEntry({ program }: ModuleSource, name: string, state: State): void {
  const { line, column } = program.body.find(({ type }) => type.startsWith('Export'))?.loc?.start ?? {
    line: 1,
    column: 0,
  };
  state.report({ reason: REASONS.unknown, line, column: column + 1, name });
}

const fresh = (problem: Problem): FreshVerdict => ({ runtime: 'fresh', ...problem });
const unread = (reason: string): FreshVerdict => ({ runtime: 'fresh', reason, line: 1, column: 1 });
