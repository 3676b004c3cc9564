import { formDecode, formEncode } from './url-encoding.js';

type Pair = [name: string, value: string];

function pairsOf(init: unknown): Pair[] {
  if (typeof init !== 'object' || init === null) return parsedPairs(String(init));
  if (!(Symbol.iterator in init)) return Object.entries(init).map(([name, value]) => [name, String(value)]);
  return Array.from(init as Iterable<Iterable<unknown>>, (entry) => {
    const pair = Array.from(entry, String);
    if (pair.length !== 2) throw new TypeError('Each query pair must be an iterable [name, value] tuple');
    return [pair[0] ?? '', pair[1] ?? ''];
  });
}

function parsedPairs(text: string): Pair[] {
  const parts = text.replace(/^\?/, '').split('&').filter(Boolean);
  return parts.map((part) => {
    const equals = part.indexOf('=');
    if (equals === -1) return [formDecode(part), ''];
    return [formDecode(part.slice(0, equals)), formDecode(part.slice(equals + 1))];
  });
}

/** Works as in browsers. An instance that belongs to a URL notifies it of every change. */
export class URLSearchParams {
  #pairs: Pair[];
  #changed: (() => void) | undefined;

  constructor(init: unknown = '', changed?: () => void) {
    this.#pairs = pairsOf(init);
    this.#changed = changed;
  }

  get size(): number {
    return this.#pairs.length;
  }
  append(name: unknown, value: unknown): void {
    this.#replace([...this.#pairs, [String(name), String(value)]]);
  }
  delete(name: unknown, value?: unknown): void {
    this.#replace(this.#pairs.filter((pair) => !isMatch(pair, name, value)));
  }
  get(name: unknown): string | null {
    return this.#pairs.find((pair) => isMatch(pair, name))?.[1] ?? null;
  }
  getAll(name: unknown): string[] {
    return this.#pairs.filter((pair) => isMatch(pair, name)).map(([, value]) => value);
  }
  has(name: unknown, value?: unknown): boolean {
    return this.#pairs.some((pair) => isMatch(pair, name, value));
  }
  set(name: unknown, value: unknown): void {
    const first = this.#pairs.findIndex((pair) => isMatch(pair, name));
    if (first === -1) {
      this.append(name, value);
      return;
    }
    const others = this.#pairs.filter((pair, index) => index === first || !isMatch(pair, name));
    this.#replace(others.map((pair, index) => (index === first ? [pair[0], String(value)] : pair)));
  }
  sort(): void {
    this.#replace(this.#pairs.toSorted(([a], [b]) => (a < b ? -1 : Number(a > b))));
  }
  forEach(visit: (value: string, name: string, params: URLSearchParams) => unknown, self?: unknown): void {
    for (const [name, value] of this) visit.call(self, value, name, this);
  }
  *entries(): IterableIterator<Pair> {
    for (let at = 0; at < this.#pairs.length; at += 1) {
      const [name, value] = this.#pairs[at] ?? ['', ''];
      yield [name, value];
    }
  }
  *keys(): IterableIterator<string> {
    for (const [name] of this) yield name;
  }
  *values(): IterableIterator<string> {
    for (const [, value] of this) yield value;
  }
  [Symbol.iterator](): IterableIterator<Pair> {
    return this.entries();
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${formEncode(name)}=${formEncode(value)}`).join('&');
  }
  get [Symbol.toStringTag](): string {
    return 'URLSearchParams';
  }

  #replace(pairs: Pair[]): void {
    this.#pairs = pairs;
    this.#changed?.();
  }
}

const isMatch = (pair: Pair, name: unknown, value?: unknown): boolean =>
  pair[0] === String(name) && (value === undefined || pair[1] === String(value));
