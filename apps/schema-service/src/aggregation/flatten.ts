import type { JsonObject } from '@weir/contracts';
import { EVENT_PATH_CHARS_MAX, EVENT_PATHS_MAX } from './limits.js';
import { type Path, type PathTrie, TYPE_BITS } from './path-trie.js';

/** A JSON value that is neither null nor a container. */
export type Scalar = string | number | boolean;

/** The scalars of one event, in parallel arrays. Every event reuses the same arrays. */
export interface Leaves {
  /** Number of valid entries in the arrays below. */
  length: number;
  readonly paths: Path[];
  /** Bit sets of {@link TYPE_BITS}. */
  readonly types: number[];
  /** If dotted keys give one path several values, the one with the smallest text wins, whatever the order of keys. */
  readonly values: Scalar[];
  /** Equal for equal sets of (path, types) within one trie. Holds 128 bits as text. */
  fingerprint: string;
}

/** Flattens events into dotted paths. Array indexes are segments. Nulls and empty containers add nothing. */
export class Flattener {
  private events = 0;
  private chars = 0;
  private readonly leaves: Leaves = { length: 0, paths: [], types: [], values: [], fingerprint: '' };
  private readonly openPaths: Path[] = [];
  private readonly openContainers: JsonObject[] = [];

  constructor(private readonly trie: PathTrie) {}

  /**
   * Undefined if the event exceeds EVENT_PATHS_MAX or EVENT_PATH_CHARS_MAX. The result is valid until the next call. Uses an
   * explicit stack, because customers control the depth.
   */
  flatten(event: JsonObject): Leaves | undefined {
    this.events += 1;
    this.chars = 0;
    this.leaves.length = 0;
    this.openPaths.length = 0;
    this.openContainers.length = 0;
    let path = this.trie.root;
    for (let next: JsonObject | undefined = event; next; next = this.openContainers.pop()) {
      this.expand(path, next);
      if (this.leaves.length > EVENT_PATHS_MAX || this.chars > EVENT_PATH_CHARS_MAX) return undefined;
      if (next === event) this.ownFieldsFirst(event);
      path = this.openPaths.pop() as Path;
    }
    this.leaves.fingerprint = this.fingerprint();
    return this.leaves;
  }

  /** The fields of an event's author come before its context, because only the first paths of a version get value counters. */
  private ownFieldsFirst({ traits, properties }: JsonObject): void {
    const [paths, containers] = [this.openPaths, this.openContainers];
    for (const own of [traits, properties]) {
      const at = containers.indexOf(own as JsonObject);
      if (at === -1) continue;
      paths.push(...paths.splice(at, 1));
      containers.push(...containers.splice(at, 1));
    }
  }

  /** Adds scalars at once and pushes containers onto the stack. `for in` is the fastest walk, and JSON inherits no keys. */
  private expand(parent: Path, container: JsonObject): void {
    let place = 0;
    for (const key in container) {
      const value = container[key];
      if (typeof value === 'string') this.add(parent, place, key, TYPE_BITS.string, value);
      else if (typeof value === 'number') this.add(parent, place, key, TYPE_BITS.float64, value);
      else if (typeof value === 'boolean') this.add(parent, place, key, TYPE_BITS.bool, value);
      else if (value && !isEmpty(value)) {
        this.openPaths.push(this.trie.childAt(parent, place, key));
        this.openContainers.push(value as JsonObject);
      }
      place += 1;
      if (this.leaves.length > EVENT_PATHS_MAX || this.chars > EVENT_PATH_CHARS_MAX) return;
    }
  }

  private add(parent: Path, place: number, key: string, type: number, value: Scalar): void {
    const leaf = this.trie.childAt(parent, place, key);
    this.chars += leaf.text.length;
    if (this.chars > EVENT_PATH_CHARS_MAX) return;
    const path = leaf.same ?? this.trie.sameOf(leaf);
    if (path.event === this.events) {
      this.join(path.leaf, type, value);
      return;
    }
    path.event = this.events;
    path.leaf = this.leaves.length;
    this.leaves.paths[path.leaf] = path;
    this.leaves.types[path.leaf] = type;
    this.leaves.values[path.leaf] = value;
    this.leaves.length += 1;
  }

  /** Values of one type stay as they are. Values of several types become text, so that each path holds one kind of value. */
  private join(leaf: number, type: number, value: Scalar): void {
    const { types, values } = this.leaves;
    const known = values[leaf] as Scalar;
    const smaller = String(value) < String(known) ? value : known;
    types[leaf] = (types[leaf] as number) | type;
    values[leaf] = types[leaf] === type ? smaller : String(smaller);
  }

  /** A sum, so the order of keys does not matter and nothing needs sorting. */
  private fingerprint(): string {
    const { length, paths, types } = this.leaves;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < length; at += 1) {
      const path = paths[at] as Path;
      const type = types[at] as number;
      const words = path.hashWords?.types === type ? path.hashWords : this.trie.hashWordsOf(path, type);
      a = (a + words.a) | 0;
      b = (b + words.b) | 0;
      c = (c + words.c) | 0;
      d = (d + words.d) | 0;
    }
    return String.fromCharCode(a >>> 16, a & 0xffff, b >>> 16, b & 0xffff, c >>> 16, c & 0xffff, d >>> 16, d & 0xffff);
  }
}

/** Empty containers make no node, so events that hold nothing else cannot grow the trie. */
function isEmpty(container: object): boolean {
  if (Array.isArray(container)) return container.length === 0;
  for (const _ in container) return false;
  return true;
}
