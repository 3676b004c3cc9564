import type { JsonObject } from '@weir/contracts';
import { EVENT_PATH_CHARS_MAX, EVENT_PATHS_MAX } from './limits.js';
import { type Path, type PathNode, type PathTrie, TYPE_BITS } from './path-trie.js';
import { cleanText } from './text.js';

/** A scalar of an event. Of several at one path (dotted keys) the smallest text stays, whatever the order of keys. */
export interface Leaf {
  path: Path;
  /** Set of {@link TYPE_BITS}. */
  types: number;
  /** As JSON prints it, without quotes. */
  value: string;
}

export interface FlatEvent {
  leaves: Leaf[];
  /** Equal for equal sets of (path, types) within one trie; 128 bits as text. */
  fingerprint: string;
}

/** Turns events into their dotted paths: array indexes are segments; nulls and empty containers add nothing. */
export class Flattener {
  private events = 0;
  private leaves: Leaf[] = [];
  private chars = 0;
  private readonly open: { node: PathNode; value: unknown }[] = [];

  constructor(private readonly trie: PathTrie) {}

  /** Undefined when the event has more paths than are modelled. Uses a stack of its own: depth is the customer's. */
  flatten(event: JsonObject): FlatEvent | undefined {
    this.events += 1;
    this.leaves = [];
    this.chars = 0;
    this.open.length = 0;
    this.expand(this.trie.root, event);
    for (let next = this.open.pop(); next; next = this.open.pop()) {
      if (typeof next.value === 'object') this.expand(next.node, next.value as object);
      else this.add(next.node, next.value);
      if (this.leaves.length > EVENT_PATHS_MAX || this.chars > EVENT_PATH_CHARS_MAX) return undefined;
    }
    return { leaves: this.leaves, fingerprint: this.fingerprint() };
  }

  private expand(node: PathNode, container: object): void {
    const keys = Object.keys(container);
    for (let at = keys.length - 1; at >= 0; at -= 1) {
      const key = keys[at] as string;
      const value = (container as JsonObject)[key];
      if (value === null || isEmpty(value)) continue;
      this.open.push({ node: this.trie.child(node, cleanText(key)), value });
    }
  }

  private add(node: PathNode, value: unknown): void {
    const types = typeOf(value);
    if (types === undefined) return;
    this.chars += node.text.length;
    if (this.chars > EVENT_PATH_CHARS_MAX) return;
    const path = this.trie.pathOf(node);
    const text = typeof value === 'string' ? cleanText(value) : String(value);
    if (path.event !== this.events) {
      path.event = this.events;
      path.leaf = this.leaves.push({ path, types, value: text }) - 1;
      return;
    }
    const leaf = this.leaves[path.leaf] as Leaf;
    leaf.types |= types;
    if (text < leaf.value) leaf.value = text;
  }

  /** A sum, so the order of keys does not matter and nothing is sorted. */
  private fingerprint(): string {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (const { path, types } of this.leaves) {
      const lanes = this.trie.lanesOf(path, types) as unknown as [number, number, number, number];
      a = (a + lanes[0]) | 0;
      b = (b + lanes[1]) | 0;
      c = (c + lanes[2]) | 0;
      d = (d + lanes[3]) | 0;
    }
    return String.fromCharCode(a >>> 16, a & 0xffff, b >>> 16, b & 0xffff, c >>> 16, c & 0xffff, d >>> 16, d & 0xffff);
  }
}

/** Empty containers make no node: an event of nothing else must not grow the trie. */
function isEmpty(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;
}

function typeOf(value: unknown): number | undefined {
  if (typeof value === 'string') return TYPE_BITS.string;
  if (typeof value === 'number') return TYPE_BITS.float64;
  return typeof value === 'boolean' ? TYPE_BITS.bool : undefined;
}
