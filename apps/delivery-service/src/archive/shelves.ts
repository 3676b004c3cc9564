import { createHash } from 'node:crypto';
import { partitionOf } from '@weir/contracts';
import type { StreamMessage } from '@weir/messaging';

/**
 * Sources of a workspace that get segments of their own from what a partition holds. Each costs a request to the store, so a
 * workspace of many small sources would hold up the archive of all others.
 */
const OWN_MAX = 8;
/** Shelves that the sources of a partition share. Fewer are fewer requests, and more that the replay of one source reads in vain. */
const SHELVES = 4;
const DIGITS = 2;

/** Messages that make a segment together: of one source, or of the sources that share a shelf. */
export interface Shelf {
  workspaceId: string;
  /** The folder of the workspace that they lie in: the id of the source, or `sharedShelf`. */
  shelf: string;
  messages: StreamMessage[];
}

/** Each source has a shelf of its own, unless too many of them wait. */
export function shelvesOf(messages: Iterable<StreamMessage>): Shelf[] {
  return [...Map.groupBy(messages, workspaceIdOf)].flatMap(([workspaceId, ofWorkspace]) => {
    const bySource = Map.groupBy(ofWorkspace, sourceIdOf);
    const shared = (one: StreamMessage) => sharedShelf(workspaceId, sourceIdOf(one));
    const shelves = bySource.size <= OWN_MAX ? bySource : Map.groupBy(ofWorkspace, shared);
    return [...shelves].map(([shelf, own]) => ({ workspaceId, shelf, messages: own }));
  });
}

/**
 * The shelf that a source may share. It tells the partition, so that a replay reads segments of no other one: if the source is spread,
 * its first. Ids of sources have no hyphen. Must never change, because replays look for it.
 */
export function sharedShelf(workspaceId: string, sourceId: string): string {
  const hash = createHash('sha256').update(sourceId).digest().readUInt32BE();
  return `shared-${String(partitionOf(workspaceId, sourceId)).padStart(DIGITS, '0')}-${hash % SHELVES}`;
}

const workspaceIdOf = ({ subject }: StreamMessage): string => subject.split('.').at(-2) ?? '';
const sourceIdOf = ({ subject }: StreamMessage): string => subject.split('.').at(-1) ?? '';
