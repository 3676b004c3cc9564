import type { MemberExpression } from 'estree';
import { callRoutine, handOut, type Passed } from './arguments.js';
import { CALLBACK_METHODS, PATTERN_METHODS, PLAIN_METHODS, READERS, STEADY_METHODS } from './builtins.js';
import { type Context, REASONS } from './context.js';
import { languageName } from './language-names.js';
import { iterate, listOf, readFrom, widenCollection } from './members.js';
import {
  type Collection,
  collection,
  isCollection,
  isKept,
  isPlain,
  join,
  loosenAll,
  OPAQUE,
  PLAIN,
  routineOf,
  type Value,
} from './values.js';

export interface MethodCall {
  base: Value;
  /** Absent if it is computed. */
  name: string | undefined;
  callee: MemberExpression;
  passed: readonly Passed[];
}

export function callMethod(call: MethodCall, at: Context): Value {
  const { base, name, callee } = call;
  if (!isKept(base)) return callOfRun(call, at);
  if (base.kind === 'regex' && (name === 'test' || name === 'exec')) {
    if (!base.isSteady) at.problem(callee, REASONS.position);
    return name === 'test' ? PLAIN : at.anything;
  }
  if (base.kind === 'table') return callInTable(base, call, at);
  if (isCollection(base)) return callOnCollection(base, call, at);
  at.problem(callee, REASONS.unknown);
  return PLAIN;
}

/** A method of an object of the run, or of the language. */
function callOfRun({ base, name, callee, passed }: MethodCall, at: Context): Value {
  const isKnown =
    name !== undefined && (PLAIN_METHODS.has(name) || STEADY_METHODS.has(name) || CALLBACK_METHODS.has(name));
  if (at.runsAtLoad && !isKnown) at.problem(callee, REASONS.atLoad);
  if (at.runsAtLoad && at.state.hidesFunctions) at.state.callAnyAtLoad();
  const isOfLanguage = name !== undefined && !at.state.hidesFunctions;
  for (const each of passed) {
    const { value } = each;
    if (isOfLanguage && CALLBACK_METHODS.has(name) && (value.kind === 'own' || value.kind === 'code'))
      at.callBack(value);
    else if (!(isOfLanguage && PATTERN_METHODS.has(name) && value.kind === 'regex')) at.contain(value, each.node);
    if (value.kind === 'regex' && value.isSticky) at.problem(each.node, REASONS.position);
  }
  at.callBack(base);
  if (name === 'bind') at.state.hideFunctions();
  if (isOfLanguage && PLAIN_METHODS.has(name)) return PLAIN;
  if (at.isTop && name === 'split' && base.kind === 'plain') return collection('list', PLAIN);
  return at.anything;
}

/** A function in a table at module level. Whatever else it may be is a function of the language, which the child watches. */
function callInTable(base: Collection, { name, callee, passed }: MethodCall, at: Context): Value {
  if (name === 'hasOwnProperty' || name === 'propertyIsEnumerable') return PLAIN;
  const isOfLanguage = name !== undefined && name in Object.prototype;
  // `table[key]()` may call `valueOf`, which gives the table. With an argument the child notices.
  const isBare = name === undefined && (passed.length === 0 || passed.some(({ isSpread }) => isSpread));
  if (isOfLanguage || isBare) at.problem(callee, REASONS.unknown);
  const found = readFrom(base, name, at);
  const routine = name === undefined ? undefined : routineOf(found);
  if (routine) return callRoutine(routine, passed, at);
  loosenAll(found);
  if (!isPlain(found) && found.kind !== 'code') {
    at.problem(callee, REASONS.unknown);
    return PLAIN;
  }
  if (at.runsAtLoad) at.state.callAnyAtLoad();
  handOut(passed, at);
  return at.anything;
}

type ListMethod = (base: Collection, call: MethodCall, at: Context) => Value;

const plain: ListMethod = () => PLAIN;
const element: ListMethod = ({ of }) => of;
const copy: ListMethod = ({ of }, _call, at) => listOf(of, at);
/** An iterator, which the run must not keep to itself. */
const iterator: ListMethod = ({ of }, { callee }, at) => {
  if (at.isTop) return OPAQUE;
  at.contain(of, callee);
  return at.anything;
};

/** Calls back with an element, its key and the collection. */
function calling(result: (returned: Value, base: Collection, call: MethodCall, at: Context) => Value): ListMethod {
  return (base, call, at) => {
    const returned = callBackWith([base.of, PLAIN, base], call, at);
    return result(returned, base, call, at);
  };
}

function callBackWith(values: readonly Value[], { callee, passed }: MethodCall, at: Context): Value {
  const [callback, ...more] = passed;
  handOut(more, at);
  const routine = callback && !callback.isSpread ? routineOf(callback.value) : undefined;
  if (routine)
    return callRoutine(
      routine,
      values.map((value) => ({ node: callee, value, isSpread: false })),
      at,
    );
  // Others might keep the collection, as `Array.of` does.
  const name = callback && languageName(callback.node, at);
  if (name === undefined || !READERS.has(name)) at.problem(callee, REASONS.passedOn);
  return at.anything;
}

const mapped = calling((returned, _base, { callee }, at) => {
  if (!at.isTop) at.contain(returned, callee);
  return listOf(returned, at);
});

const flatMapped = calling((returned, _base, { callee }, at) => {
  if (!at.isTop) at.contain(returned, callee);
  return listOf(returned.kind === 'list' ? returned.of : returned, at);
});

const reduced: ListMethod = (base, { callee, passed }, at) => {
  const [callback, start, ...more] = passed;
  handOut(more, at);
  const routine = callback && !callback.isSpread ? routineOf(callback.value) : undefined;
  if (!routine || start?.isSpread) {
    at.problem(callee, REASONS.unknown);
    return PLAIN;
  }
  const first = join(start?.value ?? base.of, at.settled(routine.returns));
  const values = [first, base.of, PLAIN, base].map((value) => ({ node: callee, value, isSpread: false }));
  return join(first, callRoutine(routine, values, at));
};

/** Adds to a collection, which only the top level may do. */
const adding: ListMethod = (base, { callee, passed }, at) => {
  const added = passed.map(({ value }) => value).reduce(join, PLAIN);
  if (at.isTop) widenCollection(callee.object, added, at);
  else at.problem(callee, REASONS.state);
  return base.kind === 'list' ? PLAIN : OPAQUE;
};

const flattened: ListMethod = (base, _call, at) => {
  const inner = base.of;
  return isPlain(inner) ? listOf(inner, at) : listOf(inner.kind === 'list' ? inner.of : OPAQUE, at);
};

const concatenated: ListMethod = (base, { passed }, at) => {
  const parts = passed.map(({ value, node }) => (value.kind === 'list' ? iterate(value, node, at) : value));
  return listOf(parts.reduce(join, base.of), at);
};

const LIST: Readonly<Record<string, ListMethod>> = {
  ...{ includes: plain, indexOf: plain, lastIndexOf: plain, join: plain, toString: plain },
  ...{ at: element, slice: copy, toReversed: copy, concat: concatenated, flat: flattened },
  ...{ keys: copy, values: iterator, entries: iterator },
  ...{
    map: mapped,
    flatMap: flatMapped,
    forEach: calling(() => PLAIN),
    filter: calling((_returned, base, _call, at) => listOf(base.of, at)),
  },
  ...{ some: calling(() => PLAIN), every: calling(() => PLAIN), findIndex: calling(() => PLAIN) },
  ...{ find: calling((_returned, { of }) => of), findLast: calling((_returned, { of }) => of) },
  ...{ findLastIndex: calling(() => PLAIN), reduce: reduced, reduceRight: reduced },
  ...{ push: adding, unshift: adding },
  toSorted: (base, call, at) => {
    if (call.passed.length > 0) callBackWith([base.of, base.of], call, at);
    return listOf(base.of, at);
  },
};

/** Calls back with what is in it, twice in a set, and with its keys in a map. */
const visited: ListMethod = (base, call, at) => {
  callBackWith([base.of, base.of, base], call, at);
  return PLAIN;
};

const SET: Readonly<Record<string, ListMethod>> = {
  ...{ has: plain, add: adding, forEach: visited },
  ...{ keys: iterator, values: iterator, entries: iterator },
};

const MAP: Readonly<Record<string, ListMethod>> = {
  ...{ has: plain, get: element, set: adding, forEach: visited },
  ...{ keys: copy, values: iterator, entries: iterator },
};

const METHODS = { list: LIST, set: SET, map: MAP, table: {} };

function callOnCollection(base: Collection, call: MethodCall, at: Context): Value {
  const methods: Readonly<Record<string, ListMethod>> = METHODS[base.kind];
  const method = call.name !== undefined && Object.hasOwn(methods, call.name) ? methods[call.name] : undefined;
  if (method) return method(base, call, at);
  at.problem(call.callee, REASONS.state);
  return PLAIN;
}
