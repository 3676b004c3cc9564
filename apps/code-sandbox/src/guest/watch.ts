/**
 * Watches the language in a context that stays. Code in such a context keeps nothing in its own objects, since that was proven
 * before. But keys that come with an event, such as `__proto__`, may lead a write to an object of the language. What a plain write
 * does there is looked for after each run. All other ways to change such an object go through a function that reports it.
 *
 * Called before user code is loaded. Holds on to everything it needs, so that user code cannot deceive it. It is one function
 * without imports, so that tests can put it into a context of their own.
 */
export function watchLanguage(): () => boolean {
  const { apply, construct, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  type Method = (this: unknown, ...parts: unknown[]) => unknown;
  const scope = globalThis as unknown as Record<string, unknown>;
  const languageHas = Set.prototype.has as unknown as Method;
  const { hasOwn } = Object;
  const language = new Set<object>();
  let isTouched = false;

  const bareList = <T>(): T[] => Object.setPrototypeOf([], null) as T[];
  const isOfLanguage = (value: unknown) => apply(languageHas, language, [value]) as boolean;

  /** Puts a function in the place of another. It looks at each call first. */
  const report = (of: object, name: string, isReported: (self: unknown, first: unknown, count: number) => boolean) => {
    const descriptor = getOwnPropertyDescriptor(of, name);
    const original = descriptor?.value as Method | undefined;
    if (!descriptor || typeof original !== 'function') return;
    const reporting = {
      [name](this: unknown, ...parts: unknown[]): unknown {
        if (isReported(this, parts[0], parts.length)) isTouched = true;
        return apply(original, this, parts);
      },
    }[name] as Method;
    defineProperty(reporting, 'length', { value: original.length, configurable: true });
    defineProperty(of, name, { ...descriptor, value: reporting });
  };

  const changesFirst = (_self: unknown, first: unknown) => isOfLanguage(first);
  for (const name of ['defineProperty', 'defineProperties', 'setPrototypeOf', 'preventExtensions', 'freeze', 'seal']) {
    report(Object, name, changesFirst);
    report(Reflect, name, changesFirst);
  }
  // Symbols are not keys that a written loop finds.
  for (const name of ['getOwnPropertySymbols', 'getOwnPropertyDescriptors']) report(Object, name, () => true);
  for (const name of ['ownKeys', 'set']) report(Reflect, name, () => true);
  for (const name of ['__defineGetter__', '__defineSetter__']) report(Object.prototype, name, () => true);
  // For a table, this is the table itself. The language calls it without arguments.
  report(Object.prototype, 'valueOf', (_self, _first, count) => count > 0);
  report(scope, 'eval', () => true);

  const prototypeSetter = getOwnPropertyDescriptor(Object.prototype, '__proto__');
  if (prototypeSetter?.set) {
    const original = prototypeSetter.set as Method;
    const set = function (this: unknown, value: unknown) {
      if (isOfLanguage(this)) isTouched = true;
      apply(original, this, [value]);
    };
    defineProperty(Object.prototype, '__proto__', { ...prototypeSetter, set });
  }

  /** Code made from text is in nobody's proof. */
  const makers = [() => 0, async () => 0, function* () {}, async function* () {}].map(
    (each) => getPrototypeOf(each) as object,
  );
  for (const prototype of makers) {
    const original = (prototype as { constructor: new (...parts: unknown[]) => object }).constructor;
    const Reporting = function (...parts: unknown[]): object {
      isTouched = true;
      return construct(original, parts, new.target ?? original);
    };
    for (const key of ['name', 'length', 'prototype']) {
      const descriptor = getOwnPropertyDescriptor(original, key);
      if (descriptor) defineProperty(Reporting, key, descriptor);
    }
    const descriptor = getOwnPropertyDescriptor(prototype, 'constructor');
    defineProperty(prototype, 'constructor', { ...descriptor, value: Reporting });
    if (scope[original.name] === original) {
      defineProperty(scope, original.name, { value: Reporting, writable: true, enumerable: false, configurable: true });
    }
  }

  /** Functions with nothing but a name and a length. */
  const plainFunctions = bareList<object>();
  const others = bareList<object>();
  const enumerable = bareList<number>();
  const places = bareList<{ of: Record<PropertyKey, unknown>; key: PropertyKey; value: unknown }>();
  const accessors = bareList<{ of: object; key: PropertyKey; isInherited: boolean }>();
  /** Names and lengths of functions. A write cannot change them, but they can be deleted. Reading them is slow. */
  const labels = bareList<{ of: object; key: PropertyKey }>();

  const countOf = (of: object): number => {
    let count = 0;
    for (const _key in of) count += 1;
    return count;
  };

  const record = (of: object) => {
    const keys = ownKeys(of);
    if (typeof of === 'function' && keys.length === 2 && keys.every((key) => key === 'name' || key === 'length')) {
      plainFunctions[plainFunctions.length] = of;
      return;
    }
    others[others.length] = of;
    enumerable[enumerable.length] = countOf(of);
    for (const key of keys) {
      const descriptor = getOwnPropertyDescriptor(of, key) as PropertyDescriptor;
      if ('value' in descriptor) {
        const { value, writable, configurable } = descriptor;
        const place = { of: of as Record<PropertyKey, unknown>, key, value };
        const isLabel = typeof of === 'function' && (key === 'name' || key === 'length') && !writable;
        // NaN is the one value that differs from itself, and nobody can write those of the language.
        if (isLabel && configurable) labels[labels.length] = place;
        else if (writable || configurable) places[places.length] = place;
      } else if (descriptor.configurable) {
        const parent = getPrototypeOf(of);
        accessors[accessors.length] = { of, key, isInherited: parent !== null && key in parent };
      }
    }
  };

  const iterators = [[].values(), new Map().entries(), new Set().values(), ''[Symbol.iterator](), 'a'.matchAll(/a/g)];
  const { Iterator } = scope as unknown as { Iterator: { from(of: object): { map(make: Method): object } } };
  const made = [Iterator.from([]).map(() => 0), Iterator.from({ next: () => ({ done: true, value: 0 }) })];
  const waiting: unknown[] = [
    globalThis,
    ...makers,
    ...iterators,
    ...made,
    (function* () {})(),
    (async function* () {})(),
  ];
  const segments = new Intl.Segmenter().segment('a');
  waiting.push(segments, segments[Symbol.iterator]());
  const own = new Set<unknown>([...waiting].slice(1 + makers.length));
  for (let next = waiting.pop(); waiting.length > 0 || next !== undefined; next = waiting.pop()) {
    if ((typeof next !== 'object' && typeof next !== 'function') || next === null || language.has(next)) continue;
    waiting.push(getPrototypeOf(next));
    for (const key of ownKeys(next)) {
      const descriptor = getOwnPropertyDescriptor(next, key) as PropertyDescriptor;
      waiting.push(descriptor.value, descriptor.get, descriptor.set);
    }
    if (own.has(next)) continue;
    language.add(next);
  }
  for (const each of language) record(each);

  return () => {
    if (isTouched) return false;
    for (let index = 0; index < plainFunctions.length; index += 1) {
      const of = plainFunctions[index] as object;
      if (!hasOwn(of, 'name') || !hasOwn(of, 'length')) return false;
      for (const _key in of) return false;
    }
    for (let index = 0; index < others.length; index += 1) {
      if (countOf(others[index] as object) !== enumerable[index]) return false;
    }
    for (let index = 0; index < labels.length; index += 1) {
      const { of, key } = labels[index] as (typeof labels)[number];
      if (!hasOwn(of, key)) return false;
    }
    for (let index = 0; index < places.length; index += 1) {
      const { of, key, value } = places[index] as (typeof places)[number];
      if (of[key] !== value) return false;
    }
    for (let index = 0; index < accessors.length; index += 1) {
      const { of, key, isInherited } = accessors[index] as (typeof accessors)[number];
      if (isInherited ? !hasOwn(of, key) : !(key in of)) return false;
    }
    return true;
  };
}
