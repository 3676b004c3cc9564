import type { Variable } from 'eslint-scope';
import type { Identifier, Node } from 'estree';
import { importedBy } from './modules.js';
import type { Routine } from './routine.js';
import { isOfModule, type ModuleSource } from './source.js';
import type { State } from './state.js';
import { DATA, hasUnknown, isKept, isPlain, loosenAll, OPAQUE, OWN, PLAIN, routineOf, type Value } from './values.js';

/** Why code needs fresh contexts. */
export const REASONS = {
  state: 'keeps state',
  passedOn: 'passes on what outlives the run',
  unknown: 'uses what cannot be followed',
  atLoad: 'depends on when it is loaded',
  position: 'uses a regular expression that keeps its position',
} as const;

/** Where an expression is evaluated: at the top level of a module, or in a function. */
export class Context {
  constructor(
    readonly state: State,
    readonly source: ModuleSource,
    /** Absent at the top level. */
    readonly routine: Routine | undefined,
    private readonly evaluator: (node: Node, context: Context) => Value,
  ) {}

  /** A run may not even look at what is unknown: a getter, or `toString`, may keep state of its own. */
  evaluate(node: Node): Value {
    const value = this.evaluator(node, this);
    if (this.isTop || !hasUnknown(value)) return value;
    this.problem(node, REASONS.unknown);
    return PLAIN;
  }

  get isTop(): boolean {
    return this.routine === undefined;
  }

  get runsAtLoad(): boolean {
    const { routine, state } = this;
    return routine === undefined || routine.runsAtLoad || (state.loadCallsAny && routine.isLoose);
  }

  /** Any object that the run made. At the top level it stays, and nothing more is known about it. */
  get anything(): Value {
    if (this.isTop) return OPAQUE;
    return this.state.hidesFunctions ? OWN : DATA;
  }

  problem(node: Node, reason: string, name = nameOf(node)): void {
    const start = node.loc?.start ?? { line: 1, column: 0 };
    const { importName } = this.source;
    this.state.report({
      reason,
      line: start.line,
      column: start.column + 1,
      ...(name !== undefined && { name }),
      ...(importName !== undefined && { module: importName }),
    });
  }

  variableOf(identifier: Identifier): Variable | undefined {
    return this.source.variables.get(identifier);
  }

  valueOf(variable: Variable): Value {
    return importedBy(variable, this.state) ?? this.state.valueOf(variable);
  }

  /** Gives a variable a value. Variables of a module get theirs while it loads. */
  assign(identifier: Identifier, value: Value): void {
    const variable = this.variableOf(identifier);
    if (!variable || variable.defs.some(({ type }) => type === 'ImportBinding')) {
      this.problem(identifier, REASONS.state);
      return;
    }
    if (!this.isTop && isOfModule(variable)) this.problem(identifier, REASONS.state);
    this.state.widen(variable, this.settled(value));
  }

  /** The part of a value that remains at the top level, where everything outlives the runs. */
  settled(value: Value): Value {
    if (!this.isTop || isKept(value) || isPlain(value)) return value;
    loosenAll(value);
    return OPAQUE;
  }

  /** A value ends in an object of the run, or with code that nobody follows. */
  contain(value: Value, node: Node): void {
    if (isKept(value)) this.problem(node, REASONS.passedOn);
    if (value.kind === 'own' || value.kind === 'code') this.hide(value);
  }

  private hide(value: Value): void {
    this.state.hideFunctions();
    this.callBack(value);
  }

  /** Something calls this function with what it likes. */
  callBack(value: Value): void {
    loosenAll(value);
    if (this.runsAtLoad) routineOf(value)?.load();
  }
}

/** The name at the start of `name.x[y]()`. */
function nameOf(node: Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  if (node.type === 'MemberExpression') return nameOf(node.object);
  if (node.type === 'CallExpression' || node.type === 'NewExpression') return nameOf(node.callee);
  if (node.type === 'ChainExpression') return nameOf(node.expression);
  if (node.type === 'SpreadElement' || node.type === 'RestElement') return nameOf(node.argument);
  if (node.type === 'AwaitExpression' || node.type === 'UpdateExpression') return nameOf(node.argument);
  return undefined;
}
