/**
 * The possible values of an expression, as far as runs are concerned. Each kind may also be a primitive. Code may change the first
 * four. All others outlive the run, so code may only read them.
 *
 * - `plain`: a primitive.
 * - `builtin`: an object of the language. The child watches these.
 * - `data`: objects of this run without functions of the bundle, or of the language.
 * - `own`: objects of this run that may be or contain functions.
 * - `list`, `table`, `set`, `map`: collections at module level. `of` joins all that they contain. `fields` says what a table has
 *   under the names that are written out, if it has no others.
 * - `regex`: a regular expression at module level. Steady ones have no `lastIndex` that matters.
 * - `code`: a function at module level. `routine` says which, if it can be no other.
 * - `module`: what `import * as name` gives.
 * - `opaque`: anything else at module level.
 */
export type Value =
  | { kind: 'plain' | 'builtin' | 'data' | 'opaque' }
  | { kind: 'own' | 'code'; routine?: Followed | undefined }
  | { kind: 'list' | 'table' | 'set' | 'map'; of: Value; depth: number; fields?: Fields }
  | { kind: 'regex'; isSteady: boolean; isSticky: boolean }
  | { kind: 'module'; importName: string };

/** A function of the bundle, as `routine.ts` has it. */
export interface Followed {
  readonly node: { params: readonly unknown[] };
  readonly isWrapped: boolean;
  readonly returns: Value;
  /** It may be called from anywhere. */
  loosen(): void;
  /** It runs while the module loads. */
  load(): void;
  /** A call passes this. */
  take(index: number, value: Value): void;
}

export type Fields = ReadonlyMap<string, Value>;
export type Collection = Extract<Value, { of: Value }>;

export const PLAIN: Value = { kind: 'plain' };
export const BUILTIN: Value = { kind: 'builtin' };
export const DATA: Value = { kind: 'data' };
export const OWN: Value = { kind: 'own' };
export const CODE: Value = { kind: 'code' };
export const OPAQUE: Value = { kind: 'opaque' };

/** Deeper collections count as opaque, so that values stay small and the analysis ends. */
const DEPTH_MAX = 5;

export function collection(kind: Collection['kind'], of: Value): Value {
  const depth = depthOf(of) + 1;
  return depth > DEPTH_MAX ? OPAQUE : { kind, of, depth };
}

export function tableOf(fields: Fields): Value {
  const of = [...fields.values()].reduce(join, PLAIN);
  const depth = Math.max(0, ...[...fields.values()].map(depthOf)) + 1;
  return depth > DEPTH_MAX ? OPAQUE : { kind: 'table', of, depth, fields };
}

const depthOf = (value: Value): number => (isCollection(value) ? value.depth : 0);

export const isCollection = (value: Value): value is Collection => 'of' in value;

/** From which nothing of the bundle can be reached. */
export const isPlain = ({ kind }: Value): boolean => kind === 'plain' || kind === 'builtin';

/** Whether it outlives the run. */
export const isKept = (value: Value): boolean => !isPlain(value) && value.kind !== 'data' && value.kind !== 'own';

export const routineOf = (value: Value): Followed | undefined => ('routine' in value ? value.routine : undefined);

/** Whether it is or contains something of which nothing is known. */
export function hasUnknown(value: Value): boolean {
  if (!isCollection(value)) return value.kind === 'opaque';
  return value.fields ? [...value.fields.values()].some(hasUnknown) : hasUnknown(value.of);
}

/** A value that may be either. Functions that are no longer told apart count as called from anywhere. */
export function join(a: Value, b: Value): Value {
  if (a === b || b.kind === 'plain') return a;
  if (a.kind === 'plain') return b;
  if (a.kind === b.kind) return joinAlike(a, b);
  return (ofRun(a) > ofRun(b) ? joinUnlike(b, a) : joinUnlike(a, b)) ?? lost(a, b, OPAQUE);
}

/** Values that belong to a run, the narrower first. */
const ofRun = ({ kind }: Value): number => {
  const at = ['builtin', 'data', 'own'].indexOf(kind);
  return at === -1 ? 3 : at;
};

function joinUnlike(a: Value, b: Value): Value | undefined {
  if (a.kind !== 'builtin' && a.kind !== 'data') return undefined;
  if (b.kind === 'data') return b;
  if (b.kind === 'own') return lost(a, b, OWN);
  return isReadAlike(b) ? collection(b.kind, join(b.of, a)) : undefined;
}

/** Functions in either are no longer told apart from others. */
function lost(a: Value, b: Value, joined: Value): Value {
  loosenAll(a);
  loosenAll(b);
  return joined;
}

/** Lists and tables are read like the data of an event. */
const isReadAlike = (value: Value): value is Collection => value.kind === 'list' || value.kind === 'table';

function joinAlike(a: Value, b: Value): Value {
  if (isCollection(a) && isCollection(b)) return isSame(a, b) ? a : joinCollections(a, b);
  if (a.kind === 'regex' && b.kind === 'regex') {
    return { kind: 'regex', isSteady: a.isSteady && b.isSteady, isSticky: a.isSticky || b.isSticky };
  }
  if (a.kind === 'module' && b.kind === 'module') return a.importName === b.importName ? a : OPAQUE;
  if (routineOf(a) === routineOf(b)) return a;
  return lost(a, b, a.kind === 'own' ? OWN : CODE);
}

function joinCollections(a: Collection, b: Collection): Value {
  if (!a.fields || !b.fields) return collection(a.kind, join(a.of, b.of));
  const joined = new Map(a.fields);
  for (const [name, value] of b.fields) joined.set(name, join(joined.get(name) ?? PLAIN, value));
  return tableOf(joined);
}

/** Functions in it count as called from anywhere. */
export function loosenAll(value: Value): void {
  if (isCollection(value)) for (const each of [value.of, ...(value.fields?.values() ?? [])]) loosenAll(each);
  routineOf(value)?.loosen();
}

export function isSame(a: Value, b: Value): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind) return false;
  if (isCollection(a) && isCollection(b)) return isSame(a.of, b.of) && areSameFields(a.fields, b.fields);
  if (a.kind === 'regex' && b.kind === 'regex') return a.isSteady === b.isSteady && a.isSticky === b.isSticky;
  if (a.kind === 'module' && b.kind === 'module') return a.importName === b.importName;
  return routineOf(a) === routineOf(b);
}

function areSameFields(a: Fields | undefined, b: Fields | undefined): boolean {
  if (!a || !b || a.size !== b.size) return a === b;
  return [...a].every(([name, value]) => isSame(value, b.get(name) ?? OPAQUE));
}
