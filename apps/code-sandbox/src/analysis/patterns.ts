import type { ArrayPattern, Node, ObjectPattern, Pattern } from 'estree';
import { type Context, REASONS } from './context.js';
import { iterate, listOf, nameIn, readFrom, writeTo } from './members.js';
import { collection, isCollection, isKept, join, type Value } from './values.js';

/** Gives the variables and properties of a pattern what the value holds. The author is told about `origin`, where it comes from. */
export function bind(pattern: Pattern, value: Value, at: Context, origin: Node = pattern): void {
  switch (pattern.type) {
    case 'Identifier':
      at.assign(pattern, value);
      return;
    case 'MemberExpression':
      writeTo(pattern, value, at, origin);
      return;
    case 'AssignmentPattern':
      bind(pattern.left, join(value, at.evaluate(pattern.right)), at, origin);
      return;
    case 'ArrayPattern':
      bindList(pattern, value, at, origin);
      return;
    case 'ObjectPattern':
      bindProperties(pattern, value, at, origin);
      return;
    default:
      at.problem(pattern, REASONS.unknown);
  }
}

function bindList({ elements }: ArrayPattern, value: Value, at: Context, origin: Node): void {
  const element = iterate(value, origin, at);
  for (const each of elements) {
    if (each?.type === 'RestElement') bind(each.argument, listOf(element, at), at, origin);
    else if (each) bind(each, element, at, origin);
  }
}

function bindProperties({ properties }: ObjectPattern, value: Value, at: Context, origin: Node): void {
  for (const property of properties) {
    if (property.type === 'RestElement') bind(property.argument, restOf(value, origin, at), at, origin);
    else bind(property.value, readFrom(value, nameIn(property.key, property.computed, at), at), at, origin);
  }
}

/** A new object with the remaining properties. */
function restOf(value: Value, node: Node, at: Context): Value {
  if (!isKept(value)) return at.anything;
  if (isCollection(value) && at.isTop) return collection('table', value.of);
  if (isCollection(value)) at.contain(value.of, node);
  else at.problem(node, REASONS.unknown);
  return at.anything;
}
