import { createHmac, randomBytes } from 'node:crypto';
import { storableText } from '@weir/contracts';
import { EVENT_PATHS_MAX, TRIE_CHARS_MAX, TRIE_NODES_MAX } from './limits.js';

/** Type bits of a path in one event. Several are set only if dotted keys lead to a path in two ways. */
export const TYPE_BITS = { string: 1, float64: 2, bool: 4 } as const;
const TYPE_SETS = 8;
/** Memory of a remembered place: two references. */
const CHARS_OF_A_PLACE = 16;

/** The four 32-bit numbers that a path and its type set add to an event's fingerprint. */
export type HashWords = readonly [number, number, number, number];

/** A path, one object per trie. The flattener uses `event` and `leaf` to find the path in its current event. */
export interface Path {
  readonly text: string;
  event: number;
  leaf: number;
  readonly hashWords: (HashWords | undefined)[];
}

export interface PathNode {
  /** Dotted path. V8 keeps it as a rope on the parent's text until a leaf needs it. */
  readonly text: string;
  readonly children: Map<string, PathNode>;
  path: Path | undefined;
  /** Raw keys and nodes of the last object seen here. Events repeat, so most keys are found by place. */
  readonly lastKeys: (string | undefined)[];
  readonly lastNodes: PathNode[];
}

/**
 * All paths seen, by segment. A known event then needs no string building, sorting or hashing. Dots in keys are not escaped (spec
 * 2.6 shows dotted paths only), so different nodes may share one {@link Path}.
 */
export class PathTrie {
  root = newNode('');
  private readonly byText = new Map<string, Path>();
  /** A secret of this process. With known hash words, an attacker could construct two shapes with the same sum. */
  private readonly secret = randomBytes(32);
  private nodes = 0;
  private chars = 0;

  /** The child for the key at this place among its object's keys. */
  childAt(parent: PathNode, place: number, key: string): PathNode {
    if (parent.lastKeys[place] === key) return parent.lastNodes[place] as PathNode;
    const node = this.child(parent, storableText(key));
    if (place < EVENT_PATHS_MAX) this.remember(parent, place, key, node);
    return node;
  }

  pathOf(node: PathNode): Path {
    node.path ??= this.byText.get(node.text) ?? this.addPath(node.text);
    return node.path;
  }

  /** Hashes JSON, so that no two (path, types) pairs have the same text. */
  hashWordsOf(path: Path, types: number): HashWords {
    const known = path.hashWords[types];
    if (known) return known;
    const digest = createHmac('sha256', this.secret)
      .update(JSON.stringify([path.text, types]))
      .digest();
    const hashWords: HashWords = [
      digest.readInt32LE(0),
      digest.readInt32LE(4),
      digest.readInt32LE(8),
      digest.readInt32LE(12),
    ];
    path.hashWords[types] = hashWords;
    return hashWords;
  }

  get isFull(): boolean {
    return this.nodes > TRIE_NODES_MAX || this.chars > TRIE_CHARS_MAX;
  }

  private child(parent: PathNode, key: string): PathNode {
    const known = parent.children.get(key);
    if (known) return known;
    const node = newNode(parent === this.root ? key : `${parent.text}.${key}`);
    parent.children.set(key, node);
    this.nodes += 1;
    this.chars += key.length;
    return node;
  }

  /** Leaves the places of nulls empty. Places count as characters, so odd events cannot make the trie large either. */
  private remember(parent: PathNode, place: number, key: string, node: PathNode): void {
    for (; parent.lastKeys.length <= place; this.chars += CHARS_OF_A_PLACE) {
      parent.lastKeys.push(undefined);
      parent.lastNodes.push(node);
    }
    parent.lastKeys[place] = key;
    parent.lastNodes[place] = node;
  }

  private addPath(text: string): Path {
    const path = { text, event: 0, leaf: 0, hashWords: new Array(TYPE_SETS).fill(undefined) };
    this.byText.set(text, path);
    this.chars += text.length;
    return path;
  }
}

const newNode = (text: string): PathNode => ({
  text,
  children: new Map(),
  path: undefined,
  lastKeys: [],
  lastNodes: [],
});
