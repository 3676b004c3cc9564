import type { Node } from 'estree';
import { callRoutine, handOut, type Passed } from './arguments.js';
import { CHANGEABLE, CONSTRUCTORS, COPIERS, MAKERS, READERS } from './builtins.js';
import { type Context, REASONS } from './context.js';
import { iterate, listOf, readFrom, widenCollection } from './members.js';
import {
  BUILTIN,
  collection,
  isCollection,
  isKept,
  isPlain,
  join,
  OPAQUE,
  PLAIN,
  routineOf,
  type Value,
} from './values.js';

type Call = (passed: readonly Passed[], node: Node, at: Context) => Value;

/** A call of a function of the language, by its written name. */
export function callLanguage(name: string, node: Node, passed: readonly Passed[], at: Context): Value {
  assertSteady(name, name === 'Date' || passed.length === 0, node, at);
  for (const { value, node: each } of passed) if (value.kind === 'module') at.problem(each, REASONS.unknown);
  const special = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
  if (special) return special(passed, node, at);
  if (READERS.has(name)) return PLAIN;
  if (COPIERS.has(name)) return at.anything;
  if (!MAKERS.has(name)) at.problem(node, REASONS.unknown, name);
  handOut(passed, at);
  return at.anything;
}

/** `new` with a constructor of the language. */
export function constructLanguage(name: string, node: Node, passed: readonly Passed[], at: Context): Value {
  if (name === 'Date') assertSteady(name, passed.length === 0, node, at);
  if (name === 'Set') return newSet(passed, node, at);
  if (name === 'Map') return newMap(passed, node, at);
  if (COPIERS.has(name)) return at.anything;
  if (!CONSTRUCTORS.has(name)) at.problem(node, REASONS.unknown, name);
  if (name === 'Promise') for (const { value } of passed) at.callBack(value);
  else handOut(passed, at);
  return at.anything;
}

/** While the module loads, nothing may differ from one load to the next. */
function assertSteady(name: string, isNow: boolean, node: Node, at: Context): void {
  if (at.runsAtLoad && CHANGEABLE.has(name) && isNow) at.problem(node, REASONS.atLoad, name);
  if (at.runsAtLoad && name.startsWith('crypto.')) at.problem(node, REASONS.atLoad, name);
  if (at.runsAtLoad && /^(fetch|geolocation)/.test(name)) at.problem(node, REASONS.atLoad, name);
}

const CALLS: Readonly<Record<string, Call>> = Object.assign(Object.create(null) as Record<string, Call>, {
  'JSON.stringify': (passed, _node, at) => {
    handOut(passed.slice(1), at);
    if (passed.length > 1 && passed[1]?.value.kind !== 'plain') handOut(passed, at);
    return PLAIN;
  },
  'JSON.parse': ([text, reviver], _node, at) => {
    if (text?.isSpread) handOut([text], at);
    if (reviver) at.callBack(reviver.value);
    if (reviver && isKept(reviver.value) && reviver.value.kind !== 'code') handOut([reviver], at);
    return at.anything;
  },
  'Object.keys': (passed, _node, at) => (passed.some(({ isSpread }) => isSpread) ? at.anything : listOf(PLAIN, at)),
  'Object.values': ([of], node, at) => listOf(elementsOf(of, node, at), at),
  'Object.entries': ([of], node, at) => listOf(listOf(elementsOf(of, node, at), at), at),
  'Object.fromEntries': (passed, node, at) => {
    if (!at.isTop) {
      handOut(passed, at);
      return at.anything;
    }
    const [pairs] = passed;
    return collection('table', pairs ? readFrom(iterate(pairs.value, node, at), undefined, at) : PLAIN);
  },
  'Object.assign': ([target, ...sources], node, at) => assign(target, sources, node, at),
  'Object.freeze': ([target], node, at) => {
    if (!at.isTop) at.problem(node, REASONS.unknown, 'Object.freeze');
    return target && !target.isSpread ? target.value : OPAQUE;
  },
  'Object.create': (passed, node, at) => {
    const [prototype, ...more] = passed;
    const isBare = prototype?.node.type === 'Literal' && more.length === 0;
    if (!isBare) at.problem(node, REASONS.unknown, 'Object.create');
    return at.isTop ? collection('table', PLAIN) : at.anything;
  },
  'Array.from': ([of, make], node, at) => {
    if (!of || of.isSpread || make?.isSpread) return problem(node, at);
    const element = of.value.kind === 'table' ? of.value.of : iterate(of.value, node, at);
    if (!make) return listOf(element, at);
    const routine = routineOf(make.value);
    if (!routine) return problem(node, at);
    const made = callRoutine(
      routine,
      [element, PLAIN].map((value) => ({ node: make.node, value, isSpread: false })),
      at,
    );
    if (!at.isTop) at.contain(made, make.node);
    return listOf(made, at);
  },
} satisfies Record<string, Call>);

function problem(node: Node, at: Context): Value {
  at.problem(node, REASONS.unknown);
  return PLAIN;
}

function elementsOf(of: Passed | undefined, node: Node, at: Context): Value {
  if (!of || isPlain(of.value)) return BUILTIN;
  if (of.isSpread) return problem(node, at);
  if (!isKept(of.value)) return at.anything;
  return of.value.kind === 'list' || of.value.kind === 'table' ? of.value.of : OPAQUE;
}

function assign(target: Passed | undefined, sources: readonly Passed[], node: Node, at: Context): Value {
  if (!target || target.isSpread) return problem(node, at);
  const added = sources.map((source) => (source.isSpread ? source.value : elementsOf(source, node, at)));
  if (!at.isTop) {
    if (isKept(target.value) || isPlain(target.value)) at.problem(target.node, REASONS.state);
    for (const [index, value] of added.entries()) at.contain(value, sources[index]?.node ?? node);
    return target.value;
  }
  const of = added.reduce(join, PLAIN);
  if (target.node.type === 'Identifier') widenCollection(target.node, of, at);
  else if (target.node.type !== 'ObjectExpression') return problem(node, at);
  return isCollection(target.value) ? collection(target.value.kind, join(target.value.of, of)) : OPAQUE;
}

function newSet([of]: readonly Passed[], node: Node, at: Context): Value {
  const element = of ? iterate(of.value, node, at) : PLAIN;
  if (at.isTop) return collection('set', element);
  at.contain(element, of?.node ?? node);
  return at.anything;
}

function newMap([of]: readonly Passed[], node: Node, at: Context): Value {
  const pair = of ? iterate(of.value, node, at) : PLAIN;
  const element = pair.kind === 'plain' ? PLAIN : readFrom(pair, undefined, at);
  if (at.isTop) return collection('map', element);
  at.contain(element, of?.node ?? node);
  return at.anything;
}
