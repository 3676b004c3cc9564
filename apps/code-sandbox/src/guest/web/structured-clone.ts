type Clone = (value: unknown) => unknown;

/** Returns a deep copy, including cycles. Throws for functions, symbols, promises and weak collections. */
export function structuredClone(value: unknown): unknown {
  const copies = new Map<object, object>();
  const clone: Clone = (original) => {
    if (typeof original === 'function' || typeof original === 'symbol') throw notCloneable(String(original));
    if (typeof original !== 'object' || original === null) return original;
    const known = copies.get(original);
    if (known) return known;
    const { copy, fill } = emptyCopy(original, clone);
    copies.set(original, copy);
    fill?.();
    return copy;
  };
  return clone(value);
}

const tagOf = (value: object) => Object.prototype.toString.call(value).slice(8, -1);

interface EmptyCopy {
  copy: object;
  /** Fills in the parts after the copy is registered, so that cycles find it. */
  fill?: () => void;
}

function emptyCopy(original: object, clone: Clone): EmptyCopy {
  if (ArrayBuffer.isView(original)) return { copy: viewCopy(original, clone) };
  if (tagOf(original) === 'ArrayBuffer') return { copy: (original as ArrayBuffer).slice(0) };
  if (original instanceof Map) return mapCopy(original, clone);
  if (original instanceof Set) return setCopy(original, clone);
  if (original instanceof Date) return { copy: new Date(original.getTime()) };
  // linear: a pattern of user code, matched on its own time.
  if (original instanceof RegExp) return { copy: new RegExp(original.source, original.flags) };
  if (original instanceof Error) return { copy: errorCopy(original, clone) };
  if (original instanceof Boolean || original instanceof Number || original instanceof String) {
    return { copy: Object(original.valueOf()) };
  }
  const isPlain = Array.isArray(original) || tagOf(original) === 'Object';
  if (!isPlain || original instanceof WeakMap || original instanceof WeakSet) throw notCloneable(tagOf(original));
  return partsCopy(original, clone);
}

function partsCopy(original: object, clone: Clone): EmptyCopy {
  const copy = Array.isArray(original) ? new Array(original.length) : {};
  const fill = () => {
    for (const key of Object.keys(original)) {
      const value = clone((original as Record<string, unknown>)[key]);
      Object.defineProperty(copy, key, { value, writable: true, enumerable: true, configurable: true });
    }
  };
  return { copy, fill };
}

function mapCopy(original: Map<unknown, unknown>, clone: Clone): EmptyCopy {
  const copy = new Map();
  const fill = () => {
    for (const [key, value] of [...original]) copy.set(clone(key), clone(value));
  };
  return { copy, fill };
}

function setCopy(original: Set<unknown>, clone: Clone): EmptyCopy {
  const copy = new Set();
  const fill = () => {
    for (const value of [...original]) copy.add(clone(value));
  };
  return { copy, fill };
}

function viewCopy(view: ArrayBufferView, clone: Clone): object {
  const buffer = clone(view.buffer);
  const length = view instanceof DataView ? view.byteLength : (view as Uint8Array).length;
  const View = view.constructor as new (buffer: unknown, offset: number, length: number) => object;
  return new View(buffer, view.byteOffset, length);
}

const ERRORS: Record<string, new (message?: string) => Error> = {
  EvalError,
  RangeError,
  ReferenceError,
  SyntaxError,
  TypeError,
  URIError,
};

function errorCopy(original: Error, clone: Clone): Error {
  const copy = new (ERRORS[original.name] ?? Error)(original.message);
  const hidden = (value: unknown) => ({ value, writable: true, enumerable: false, configurable: true });
  Object.defineProperty(copy, 'stack', hidden(original.stack));
  if ('cause' in original) Object.defineProperty(copy, 'cause', hidden(clone(original.cause)));
  return copy;
}

function notCloneable(what: string): Error {
  const error = new Error(`${what} could not be cloned.`);
  error.name = 'DataCloneError';
  return error;
}
