import { randomFillSync } from 'node:crypto';
import { storableText } from '@weir/contracts';
import { EVENT_PATHS_MAX, TRIE_CHARS_MAX, TRIE_PATHS_MAX } from './limits.js';

/** Type bits of a path in one event. Several are set only if dotted keys lead to a path in two ways. */
export const TYPE_BITS = { string: 1, float64: 2, bool: 4 } as const;
/** Memory of a remembered place: two references. */
const CHARS_OF_A_PLACE = 16;

/**
 * Four random 32-bit numbers that a path and its type set add to an event's fingerprint. With numbers that follow from the path,
 * an attacker could construct two shapes with the same sum.
 */
export interface HashWords {
  readonly types: number;
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  /** Those of another type set, because few paths have more than one. */
  readonly next: HashWords | undefined;
}

/**
 * A key below its parent. The flattener uses `event` and `leaf` to find the path in its current event. Several keys may lead to
 * one path, and `same` is the one that stands for it.
 */
export interface Path {
  readonly parent: Path | undefined;
  readonly segment: string;
  /** V8 keeps it as a rope on the parent's text until a version needs it. */
  readonly text: string;
  event: number;
  leaf: number;
  hashWords: HashWords | undefined;
  same: Path | undefined;
  /** Whether a key on the way has a dot. */
  readonly isDotted: boolean;
  /** Undefined for leaves, because dynamic keys make them by the thousand. */
  inside: Inside | undefined;
}

interface Inside {
  readonly prefix: string;
  readonly children: Map<string, Path>;
  /** Raw keys and paths of the last object seen here. Events repeat, so most keys are found by place. */
  last: { readonly keys: (string | undefined)[]; readonly paths: Path[] } | undefined;
}

/**
 * All paths seen, by segment. A known event then needs no string building, sorting or hashing. Dots in keys are not escaped (spec
 * 2.6 shows dotted paths only), so a dotted key leads where nested ones do.
 */
export class PathTrie {
  readonly root = newPath(undefined, '', '');
  /** Leaves that dotted keys lead to, by text. Without such keys, no text needs to be looked up. */
  private readonly dotted = new Map<string, Path>();
  private readonly words = new RandomWords();
  private paths = 0;
  private chars = 0;

  /** The child for the key at this place among its object's keys. */
  childAt(parent: Path, place: number, key: string): Path {
    const inside = insideOf(parent);
    if (inside.last?.keys[place] === key) return inside.last.paths[place] as Path;
    const path = this.child(parent, storableText(key));
    if (place < EVENT_PATHS_MAX) this.remember(inside, place, key, path);
    return path;
  }

  /** The one that stands for a leaf. */
  sameOf(leaf: Path): Path {
    const { text, isDotted } = leaf;
    this.chars += text.length; // the rope becomes one text
    const known = this.dotted.size > 0 ? this.dotted.get(text) : undefined;
    leaf.same = known ?? (isDotted ? this.nested(text) : leaf) ?? leaf;
    if (isDotted) this.dotted.set(text, leaf.same);
    return leaf.same;
  }

  hashWordsOf(path: Path, types: number): HashWords {
    for (let known = path.hashWords; known; known = known.next) if (known.types === types) return known;
    path.hashWords = this.words.draw(types, path.hashWords);
    return path.hashWords;
  }

  get isFull(): boolean {
    return this.paths > TRIE_PATHS_MAX || this.chars > TRIE_CHARS_MAX;
  }

  private child(parent: Path, segment: string): Path {
    const { prefix, children } = insideOf(parent);
    const known = children.get(segment);
    if (known) return known;
    const path = newPath(parent, segment, prefix + segment);
    children.set(segment, path);
    this.paths += 1;
    this.chars += segment.length;
    return path;
  }

  /** The path to which nested keys have led before, if any. */
  private nested(text: string): Path | undefined {
    let path: Path | undefined = this.root;
    for (let [from, to] = [0, 0]; path && from <= text.length; from = to + 1) {
      const dot = text.indexOf('.', from);
      to = dot === -1 ? text.length : dot;
      path = path.inside?.children.get(text.slice(from, to));
    }
    return path;
  }

  /** Leaves the places of nulls empty. Places count as characters, so odd events cannot make the trie large either. */
  private remember(inside: Inside, place: number, key: string, path: Path): void {
    inside.last ??= { keys: [], paths: [] };
    const { keys, paths } = inside.last;
    for (; keys.length <= place; this.chars += CHARS_OF_A_PLACE) {
      keys.push(undefined);
      paths.push(path);
    }
    keys[place] = key;
    paths[place] = path;
  }
}

function insideOf(path: Path): Inside {
  path.inside ??= { prefix: path.parent ? `${path.text}.` : '', children: new Map(), last: undefined };
  return path.inside;
}

function newPath(parent: Path | undefined, segment: string, text: string): Path {
  const isDotted = parent?.isDotted || segment.includes('.');
  return {
    parent,
    segment,
    text,
    event: 0,
    leaf: 0,
    hashWords: undefined,
    same: undefined,
    isDotted,
    inside: undefined,
  };
}

const POOL_WORDS = 1_024;

/** Draws numbers a thousand at a time, because one draw costs about as much as a thousand. */
class RandomWords {
  private readonly pool = new Int32Array(POOL_WORDS);
  private used = POOL_WORDS;

  draw(types: number, next: HashWords | undefined): HashWords {
    if (this.used === POOL_WORDS) {
      randomFillSync(this.pool);
      this.used = 0;
    }
    return { types, a: this.word(), b: this.word(), c: this.word(), d: this.word(), next };
  }

  private word(): number {
    this.used += 1;
    return this.pool[this.used - 1] as number;
  }
}
