import type { Variable } from 'eslint-scope';
import { type FunctionNode, Routine } from './routine.js';
import type { ModuleSource } from './source.js';
import { isSame, join, PLAIN, type Value } from './values.js';
import type { Problem } from './verdict.js';

/**
 * Knowledge about the bundle. It only grows, so the analysis walks the code again until nothing changes. Only problems
 * of the last walk count.
 */
export class State {
  /** Objects of the run may contain functions of the bundle. So a method need not be the one of the language. */
  hidesFunctions = false;
  /** Loading the bundle calls functions that cannot be told apart. */
  loadCallsAny = false;
  hasChanged = false;
  problem: Problem | undefined;
  readonly routines = new Map<FunctionNode, { routine: Routine; source: ModuleSource }>();
  private readonly values = new Map<Variable | ModuleSource, Value>();

  constructor(readonly modules: readonly ModuleSource[]) {}

  moduleOf(importName: string): ModuleSource | undefined {
    return this.modules.find((source) => source.importName === importName);
  }

  /** Value of a variable, or of a module's `default` export. */
  valueOf(variable: Variable | ModuleSource): Value {
    return this.values.get(variable) ?? PLAIN;
  }

  widen(variable: Variable | ModuleSource, value: Value): void {
    const before = this.valueOf(variable);
    const after = join(before, value);
    if (isSame(before, after)) return;
    this.values.set(variable, after);
    this.hasChanged = true;
  }

  routineOf(node: FunctionNode, source: ModuleSource): Routine {
    const known = this.routines.get(node);
    if (known) return known.routine;
    const routine = new Routine(node, () => {
      this.hasChanged = true;
    });
    this.routines.set(node, { routine, source });
    this.hasChanged = true;
    return routine;
  }

  hideFunctions(): void {
    if (!this.hidesFunctions) this.hasChanged = true;
    this.hidesFunctions = true;
  }

  callAnyAtLoad(): void {
    if (!this.loadCallsAny) this.hasChanged = true;
    this.loadCallsAny = true;
  }

  /** Keeps the first in reading order, the code before its libraries. */
  report(problem: Problem): void {
    if (this.problem === undefined || this.isBefore(problem, this.problem)) this.problem = problem;
  }

  private isBefore(a: Problem, b: Problem): boolean {
    const place = (problem: Problem) => this.modules.findIndex(({ importName }) => importName === problem.module);
    const modules = place(a) - place(b);
    return (modules || a.line - b.line || a.column - b.column) < 0;
  }
}
