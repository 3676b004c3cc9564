import type { Expression, MemberExpression, Node, PrivateIdentifier } from 'estree';
import { FORBIDDEN_NAMES } from './builtins.js';
import { type Context, REASONS } from './context.js';
import {
  BUILTIN,
  CODE,
  type Collection,
  collection,
  DATA,
  isCollection,
  isKept,
  isPlain,
  join,
  loosenAll,
  OPAQUE,
  PLAIN,
  type Value,
} from './values.js';

/** A property name that is written out. Absent if it is computed. */
export function writtenName(key: Expression | PrivateIdentifier, isComputed: boolean): string | undefined {
  if (key.type === 'Identifier' && !isComputed) return key.name;
  if (key.type === 'Literal') return String(key.value);
  if (key.type === 'TemplateLiteral' && key.expressions.length === 0) return key.quasis[0]?.value.cooked ?? undefined;
  return undefined;
}

/** The name of a property that code reads or writes. Evaluates a computed one. */
export function nameIn(key: Expression | PrivateIdentifier, isComputed: boolean, at: Context): string | undefined {
  const name = writtenName(key, isComputed);
  if (name === undefined) at.evaluate(key);
  else if (FORBIDDEN_NAMES.has(name)) at.problem(key, REASONS.unknown, name);
  return name;
}

/** The value of a property that is read. `name` is absent if it is computed. */
export function readFrom(base: Value, name: string | undefined, at: Context): Value {
  if (isPlain(base) || base.kind === 'regex') return BUILTIN;
  if (base.kind === 'data' || base.kind === 'own') return at.anything;
  if (base.kind === 'list') return name === 'length' ? PLAIN : entryOf(base, name);
  if (base.kind === 'table') return entryOf(base, name);
  if (isCollection(base)) return BUILTIN;
  if (base.kind === 'code') return name === undefined ? OPAQUE : BUILTIN;
  return OPAQUE;
}

/** A name that is computed may also lead to a function of the language, such as `toString`. */
function entryOf({ of, fields }: Collection, name: string | undefined): Value {
  if (name !== undefined && !(name in Array.prototype)) return fields ? (fields.get(name) ?? PLAIN) : of;
  if (of.kind !== 'code') return join(of, isPlain(of) ? BUILTIN : PLAIN);
  loosenAll(of);
  return CODE;
}

/** The items of an iteration over it. */
export function iterate(base: Value, node: Node, at: Context): Value {
  if (isPlain(base)) return base;
  if (base.kind === 'data' || base.kind === 'own') return at.anything;
  if (base.kind === 'list' || base.kind === 'set') return base.of;
  if (base.kind === 'map') return listOf(base.of, at);
  at.problem(node, REASONS.unknown);
  return PLAIN;
}

/** A new list of these. In a run it belongs to the run, unless it contains what outlives it. */
export function listOf(element: Value, at: Context): Value {
  if (at.isTop || isKept(element)) return collection('list', element);
  return isPlain(element) ? DATA : element;
}

/** Code changes a property of it. */
export function writeTo(target: MemberExpression, value: Value, at: Context, origin: Node): void {
  const { object, property, computed } = target;
  if (object.type === 'Super') {
    at.problem(target, REASONS.unknown);
    return;
  }
  const base = at.evaluate(object);
  nameIn(property, computed, at);
  if (at.isTop) widenCollection(object, value, at);
  else if (isKept(base) || isOfLanguage(object, at)) at.problem(target, REASONS.state);
  else at.contain(value, origin);
}

/** Whether the written name leads into the language, as in `Math.seen`. */
function isOfLanguage(node: Node, at: Context): boolean {
  if (node.type === 'MemberExpression') return isOfLanguage(node.object, at);
  return node.type === 'Identifier' && at.variableOf(node) === undefined;
}

/**
 * The top level may fill its own collections, since it does so once. Only through the name under which the collection was made:
 * another name for it would not learn what it contains.
 */
export function widenCollection(object: Node, value: Value, at: Context): void {
  const variable = object.type === 'Identifier' ? at.variableOf(object) : undefined;
  const known = variable && at.state.valueOf(variable);
  if (!variable || !known || !isCollection(known) || !isMadeThere(variable.defs)) {
    at.problem(object, REASONS.state);
    return;
  }
  at.state.widen(variable, collection(known.kind, join(known.of, at.settled(value))));
}

function isMadeThere(defs: readonly { node: unknown; parent?: unknown }[]): boolean {
  const [only, ...others] = defs;
  if (!only || others.length > 0) return false;
  const { id, init } = only.node as { id?: Node; init?: Node | null };
  const { kind } = (only.parent ?? {}) as { kind?: string };
  if (kind !== 'const' || id?.type !== 'Identifier' || !init) return false;
  return init.type === 'ObjectExpression' || init.type === 'ArrayExpression' || init.type === 'NewExpression';
}
