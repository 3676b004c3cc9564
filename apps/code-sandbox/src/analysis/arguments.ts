import type { CallExpression, Expression, NewExpression, SpreadElement } from 'estree';
import type { Context } from './context.js';
import { iterate } from './members.js';
import { type Followed, join, PLAIN, type Value } from './values.js';

/** The arguments of a call. */
export interface Passed {
  node: Expression | SpreadElement;
  value: Value;
  /** It stands for any number of arguments. */
  isSpread: boolean;
}

export function passedBy({ arguments: given }: CallExpression | NewExpression, at: Context): Passed[] {
  return given.map((node) => {
    if (node.type !== 'SpreadElement') return { node, value: at.evaluate(node), isSpread: false };
    return { node, value: iterate(at.evaluate(node.argument), node, at), isSpread: true };
  });
}

/** Nobody follows what becomes of the arguments, so they must belong to the run. */
export function handOut(passed: readonly Passed[], at: Context): void {
  for (const { node, value } of passed) at.contain(value, node);
}

/** A call of a function that the analysis knows. */
export function callRoutine(routine: Followed, passed: readonly Passed[], at: Context): Value {
  const spreadAt = passed.findIndex(({ isSpread }) => isSpread);
  const rest =
    spreadAt === -1
      ? PLAIN
      : passed
          .slice(spreadAt)
          .map(({ value }) => value)
          .reduce(join, PLAIN);
  const count = Math.max(passed.length, routine.node.params.length);
  for (let index = 0; index < count; index += 1) {
    const isKnown = spreadAt === -1 || index < spreadAt;
    routine.take(index, isKnown ? (passed[index]?.value ?? PLAIN) : rest);
  }
  if (at.runsAtLoad) routine.load();
  return routine.isWrapped ? at.anything : at.settled(routine.returns);
}
