import { isObject } from '../project/json.js';

/** The fate of a value of the incumbent's files. */
export interface Entry {
  /** Keys from the root, as `sources.0.name`. */
  path: string;
  /** `kept`: it is in the files, and Weir does not act on it. */
  outcome: 'mapped' | 'kept' | 'lost';
  /** Where it is now, or why it is not. */
  what: string;
}

const UNKNOWN = 'The importer does not know this key';

/** Accounts for every value: what nobody mentioned is found and told by {@link entries}. */
export class Ledger {
  private readonly noted = new Map<string, Omit<Entry, 'path'>>();
  private readonly roots = new Map<string, unknown>();

  /** A document to account for. Its paths begin with `name`, if it has one. */
  open(root: unknown, name = ''): Node {
    this.roots.set(name, root);
    return new Node(root, name === '' ? [] : [name], this);
  }

  /** Also covers everything below, unless something more exact is noted. */
  note(path: readonly string[], outcome: Entry['outcome'], what: string): void {
    this.noted.set(path.join('.'), { outcome, what });
  }

  /** One entry for each value of all documents. */
  entries(): Entry[] {
    return [...this.roots].flatMap(([name, root]) =>
      leaves(root, name === '' ? [] : [name]).map((path) => ({ path: path.join('.'), ...this.lookUp(path) })),
    );
  }

  private lookUp(path: readonly string[]): Omit<Entry, 'path'> {
    for (let length = path.length; length >= 0; length--) {
      const found = this.noted.get(path.slice(0, length).join('.'));
      if (found) return found;
    }
    return { outcome: 'lost', what: UNKNOWN };
  }
}

/** Paths of all values that hold no others. */
export function leaves(value: unknown, path: string[] = []): string[][] {
  const inner = Array.isArray(value) ? Object.entries(value) : isObject(value) ? Object.entries(value) : [];
  return inner.length === 0 ? [path] : inner.flatMap(([key, one]) => leaves(one, [...path, key]));
}

/** A place in a document. Readers of the incumbent match keys without regard to case, and so does this. */
export class Node {
  constructor(
    readonly value: unknown,
    readonly path: readonly string[],
    private readonly ledger: Ledger,
  ) {}

  /** A value below. Of an absent one, `value` is undefined, and nothing is noted. */
  at(name: string): Node {
    const key = isObject(this.value)
      ? (Object.keys(this.value).find((one) => one === name) ??
        Object.keys(this.value).find((one) => one.toLowerCase() === name.toLowerCase()))
      : undefined;
    if (key === undefined) return new Node(undefined, [...this.path, name], this.ledger);
    return new Node(Reflect.get(Object(this.value), key), [...this.path, key], this.ledger);
  }

  /** Elements of a list, or values of an object. */
  items(): Node[] {
    if (typeof this.value !== 'object' || this.value === null) return [];
    return Object.entries(this.value).map(([key, one]) => new Node(one, [...this.path, key], this.ledger));
  }

  get text(): string | undefined {
    return typeof this.value === 'string' ? this.value : undefined;
  }

  get key(): string {
    return this.path.at(-1) ?? '';
  }

  /** True unless it is exactly false. */
  get isOn(): boolean {
    return this.value !== false;
  }

  mapped(to: string): this {
    return this.noted('mapped', to);
  }

  kept(why: string): this {
    return this.noted('kept', why);
  }

  lost(why: string): this {
    return this.noted('lost', why);
  }

  /** Keys with one reason each. */
  lostAll(reasons: Readonly<Record<string, string>>): void {
    for (const [name, why] of Object.entries(reasons)) this.at(name).lost(why);
  }

  private noted(outcome: Entry['outcome'], what: string): this {
    if (this.value !== undefined) this.ledger.note(this.path, outcome, what);
    return this;
  }
}
