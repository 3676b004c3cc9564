import { createHmac, randomBytes } from 'node:crypto';
import { TRIE_CHARS_MAX, TRIE_NODES_MAX } from './limits.js';

/** Bits of the types that a path has in an event; several only when dotted keys lead two routes to one path. */
export const TYPE_BITS = { string: 1, float64: 2, bool: 4 } as const;
const TYPE_SETS = 8;

/** The four 32-bit numbers that a path with a type set adds to an event's fingerprint. */
type Lanes = Uint32Array;

/** A path, once in the whole process. `event` and `leaf` belong to the flattener: where the path is in its current event. */
export interface Path {
  readonly text: string;
  event: number;
  leaf: number;
  readonly lanes: (Lanes | undefined)[];
}

export interface PathNode {
  /** Dotted; a rope of the parent's until a leaf needs it. */
  readonly text: string;
  readonly children: Map<string, PathNode>;
  path: Path | undefined;
}

/**
 * Every path that was met, by its segments, so that a known event needs no text building, sorting or hashing. Dots in keys
 * are not escaped (spec 2.6 shows dotted paths only), so different nodes may share one {@link Path}.
 */
export class PathTrie {
  root = newNode('');
  private readonly byText = new Map<string, Path>();
  /** Secret and of this process: whoever knew the lanes could construct two shapes with one sum. */
  private readonly secret = randomBytes(32);
  private nodes = 0;
  private chars = 0;

  child(parent: PathNode, key: string): PathNode {
    const known = parent.children.get(key);
    if (known) return known;
    const node = newNode(parent === this.root ? key : `${parent.text}.${key}`);
    parent.children.set(key, node);
    this.nodes += 1;
    this.chars += key.length;
    return node;
  }

  pathOf(node: PathNode): Path {
    node.path ??= this.byText.get(node.text) ?? this.addPath(node.text);
    return node.path;
  }

  /** The encoding under the hash is JSON, so no two different pairs have one text. */
  lanesOf(path: Path, types: number): Lanes {
    let lanes = path.lanes[types];
    if (!lanes) {
      const digest = createHmac('sha256', this.secret)
        .update(JSON.stringify([path.text, types]))
        .digest();
      lanes = new Uint32Array([0, 4, 8, 12].map((offset) => digest.readUInt32LE(offset)));
      path.lanes[types] = lanes;
    }
    return lanes;
  }

  get isFull(): boolean {
    return this.nodes > TRIE_NODES_MAX || this.chars > TRIE_CHARS_MAX;
  }

  private addPath(text: string): Path {
    const path = { text, event: 0, leaf: 0, lanes: new Array(TYPE_SETS).fill(undefined) };
    this.byText.set(text, path);
    this.chars += text.length;
    return path;
  }
}

const newNode = (text: string): PathNode => ({ text, children: new Map(), path: undefined });
