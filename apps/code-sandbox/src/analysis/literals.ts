import type { ArrayExpression, ObjectExpression, Property, SpreadElement } from 'estree';
import { type Context, REASONS } from './context.js';
import { iterate, nameIn, writtenName } from './members.js';
import { collection, isCollection, isKept, join, PLAIN, tableOf, type Value } from './values.js';

/** The language calls these by itself, without a call in the code. */
const CALLED_UNSEEN = new Set(['toString', 'valueOf', 'toJSON', 'then', 'next', 'return']);

export function listLiteral({ elements }: ArrayExpression, at: Context): Value {
  const parts = elements.map((element) => {
    if (element === null) return { node: undefined, value: PLAIN };
    if (element.type !== 'SpreadElement') return { node: element, value: at.evaluate(element) };
    return { node: element, value: iterate(at.evaluate(element.argument), element, at) };
  });
  if (at.isTop) return collection('list', parts.map(({ value }) => value).reduce(join, PLAIN));
  for (const { node, value } of parts) if (node) at.contain(value, node);
  return at.anything;
}

export function tableLiteral({ properties }: ObjectExpression, at: Context): Value {
  const fields = new Map<string, Value>();
  let of: Value | undefined;
  for (const property of properties) {
    const value = property.type === 'SpreadElement' ? spread(property, at) : propertyValue(property, at);
    const name = property.type === 'SpreadElement' ? undefined : writtenName(property.key, property.computed);
    if (!at.isTop) at.contain(value, property.type === 'SpreadElement' ? property : property.value);
    else if (name === undefined) of = join(of ?? PLAIN, value);
    else fields.set(name, join(fields.get(name) ?? PLAIN, value));
  }
  if (!at.isTop) return at.anything;
  return of ? collection('table', [...fields.values()].reduce(join, of)) : tableOf(fields);
}

function spread({ argument }: SpreadElement, at: Context): Value {
  const value = at.evaluate(argument);
  if (!isKept(value)) return value;
  if (isCollection(value)) return value.of;
  at.problem(argument, REASONS.unknown);
  return PLAIN;
}

function propertyValue({ key, computed, kind, value: node }: Property, at: Context): Value {
  const name = nameIn(key, computed, at);
  const value = at.evaluate(node);
  const isFunction = value.kind === 'code' || value.kind === 'opaque';
  if (at.isTop && (kind !== 'init' || (isFunction && (name === undefined || CALLED_UNSEEN.has(name))))) {
    at.problem(key, REASONS.unknown);
  }
  return value;
}
