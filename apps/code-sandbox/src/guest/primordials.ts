/**
 * The language functions that the driver uses, taken before user code can change them. Code that overwrites
 * `Array.prototype.push` breaks itself, but never the report of its results.
 */
const { bind, call } = Function.prototype;
/** `uncurried(f)(self, …args)` is `f.call(self, …args)`, even if user code replaces `call`. */
const uncurried = bind.bind(call) as <Self, Args extends unknown[], Result>(
  method: (this: Self, ...args: Args) => Result,
) => (self: Self, ...args: Args) => Result;

export const { parse, stringify } = JSON;
export const { isArray } = Array;
export const { now } = Date;
export const { create, entries, setPrototypeOf } = Object;
export const { from: listFrom } = Array;
export const { iterator } = Symbol;
export const PlainPromise = Promise;
export const PlainError = Error;
export const PlainTypeError = TypeError;
export const asObject = Object;
export const asText = String;
export const tagOfValue = uncurried(Object.prototype.toString);
export const sliceText = uncurried(String.prototype.slice as (from: number, to?: number) => string);
export const codeAt = uncurried(String.prototype.charCodeAt);
export const indexIn = uncurried(String.prototype.indexOf as (part: string, from?: number) => number);
export const upperCase = uncurried(String.prototype.toUpperCase);
export const startsWith = uncurried(String.prototype.startsWith as (part: string, at?: number) => boolean);

const find = uncurried(RegExp.prototype.exec);
const NOTHING = /(?:)/;
/** Clears what the language remembers of the last match, such as `RegExp.$1`. */
export const resetPatterns = (): void => void find(NOTHING, '');

/** A list without a prototype, so that no setter of user code can observe it. */
export const newList = <T>(): T[] => setPrototypeOf([], null) as T[];
/** A prototype-free object. */
export const newTable = <T>(): Record<string, T> => create(null) as Record<string, T>;

const OriginalMap = Map;
const mapGet = uncurried(Map.prototype.get);
const mapSet = uncurried(Map.prototype.set);

/** A `Map` with the original methods. */
export class PlainMap<K, V> {
  readonly #entries = new OriginalMap<unknown, unknown>();
  get(key: K): V | undefined {
    return mapGet(this.#entries, key) as V | undefined;
  }
  set(key: K, value: V): void {
    mapSet(this.#entries, key, value);
  }
}
