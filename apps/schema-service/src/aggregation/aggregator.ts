import type { EventBatch, JsonObject } from '@weir/contracts';
import { type ContributorKeys, Contributors } from './contributors.js';
import { Flattener, type Leaves } from './flatten.js';
import { SHAPE_PATHS_MAX } from './limits.js';
import { eventIdOf, type ModelKey, modelKeyOf, type SkipReason, versionIdOf } from './model-key.js';
import { PathTrie } from './path-trie.js';
import { type Shape, shapeOf } from './schema.js';
import { ObservedStatistics, type Vain } from './statistics.js';

/** Times are ISO 8601 from the intake's clock, so they sort as text. */
interface Seen {
  count: number;
  firstSeen: string;
  lastSeen: string;
}

export interface VersionDelta extends Seen {
  versionId: string;
  schema: Shape['schema'];
  /** The version's own statistics. A model's statistics are the sum over all its versions. */
  statistics: ObservedStatistics;
}

export interface ModelDelta extends Seen, ModelKey {
  eventId: string;
  workspaceId: string;
  writeKey: string;
  /** Number of events by day, in UTC. */
  days: Map<string, number>;
  /** Keyed by shape hash, in first-seen order. */
  versions: Map<string, VersionDelta>;
}

/**
 * The amounts that some batches add to the stored totals. Order does not matter, except for the order of types in a model's
 * schema.
 */
export interface Delta {
  models: ModelDelta[];
  skipped: Map<SkipReason, number>;
}

/** A delta under construction. */
export interface Aggregation {
  add: (event: JsonObject, batch: BatchEvents) => void;
  /** Counts an event that is not modelled. */
  skip: (reason: SkipReason) => void;
  delta: () => Delta;
}

interface Sums {
  models: Map<string, ModelDelta>;
  contributors: Contributors;
}

export type BatchEvents = Pick<EventBatch, 'workspaceId' | 'writeKey' | 'receivedAt' | 'events'>;

/** Looks up what a version's statistics may skip, if anything is known. */
export type VainOf = (versionId: string) => Vain | undefined;

/** Turns batches into deltas. Its caches of paths and shapes save time and never change a result. */
export class Aggregator {
  private trie = new PathTrie();
  private flattener = new Flattener(this.trie);
  private readonly shapes = new Map<string, Shape>();
  private shapePaths = 0;
  private contributors: Contributors;

  constructor(
    private readonly keys: ContributorKeys,
    private readonly vainOf: VainOf = () => undefined,
  ) {
    this.contributors = new Contributors(keys);
  }

  aggregate(batches: readonly BatchEvents[]): Delta {
    const aggregation = this.begin();
    for (const batch of batches) for (const event of batch.events) aggregation.add(event, batch);
    return aggregation.delta();
  }

  /** Starts a delta to which the caller adds events one by one. */
  begin(): Aggregation {
    const models = new Map<string, ModelDelta>();
    const skipped: Delta['skipped'] = new Map();
    if (this.contributors.areMany) this.contributors = new Contributors(this.keys);
    const { contributors } = this;
    const skip = (reason: SkipReason) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
    const add = (event: JsonObject, batch: BatchEvents) => {
      const reason = this.add(event, batch, { models, contributors });
      if (reason) skip(reason);
    };
    return { add, skip, delta: () => ({ models: [...models.values()], skipped }) };
  }

  private add(event: JsonObject, batch: BatchEvents, { models, contributors }: Sums): SkipReason | undefined {
    const key = modelKeyOf(event);
    if (typeof key === 'string') return key;
    const leaves = this.flatten(event);
    if (!leaves) return 'paths';
    const model = modelIn(models, batch, key);
    const version = this.versionIn(model, this.shape(leaves), batch.receivedAt);
    count(model, batch.receivedAt);
    const day = batch.receivedAt.slice(0, DAY_CHARS);
    model.days.set(day, (model.days.get(day) ?? 0) + 1);
    count(version, batch.receivedAt);
    version.statistics.observe(event, leaves, contributors.of(batch.workspaceId, event));
    return undefined;
  }

  /**
   * Starts a new trie once dynamic keys have filled the old one. Results stay the same, because shape hashes do not depend on the
   * trie.
   */
  private flatten(event: JsonObject): Leaves | undefined {
    if (this.trie.isFull) {
      this.trie = new PathTrie();
      this.flattener = new Flattener(this.trie);
      this.forgetShapes();
    }
    return this.flattener.flatten(event);
  }

  private shape(leaves: Leaves): Shape {
    let shape = this.shapes.get(leaves.fingerprint);
    if (!shape) {
      shape = shapeOf(leaves);
      this.remember(leaves.fingerprint, shape);
    }
    return shape;
  }

  private versionIn({ eventId, versions }: ModelDelta, { hash, schema }: Shape, receivedAt: string): VersionDelta {
    let version = versions.get(hash);
    if (!version) {
      const versionId = versionIdOf(eventId, hash);
      const statistics = new ObservedStatistics(this.vainOf(versionId));
      version = { versionId, schema, ...seenNever(receivedAt), statistics };
      versions.set(hash, version);
    }
    return version;
  }

  private remember(fingerprint: string, shape: Shape): void {
    if (this.shapePaths > SHAPE_PATHS_MAX) this.forgetShapes();
    this.shapePaths += shape.schema.length;
    this.shapes.set(fingerprint, shape);
  }

  private forgetShapes(): void {
    this.shapes.clear();
    this.shapePaths = 0;
  }
}

function modelIn(models: Map<string, ModelDelta>, batch: BatchEvents, key: ModelKey): ModelDelta {
  const { workspaceId, writeKey, receivedAt } = batch;
  const { eventType, eventIdentifier } = key;
  const name = `${writeKey}\0${eventType}\0${eventIdentifier}`; // storable text holds no NUL
  let model = models.get(name);
  if (!model) {
    const eventId = eventIdOf(writeKey, eventType, eventIdentifier);
    model = { eventId, workspaceId, writeKey, ...key, ...seenNever(receivedAt), days: new Map(), versions: new Map() };
    models.set(name, model);
  }
  return model;
}

/** "2026-01-01" */
const DAY_CHARS = 10;

const seenNever = (at: string): Seen => ({ count: 0, firstSeen: at, lastSeen: at });

function count(seen: Seen, at: string): void {
  seen.count += 1;
  if (at < seen.firstSeen) seen.firstSeen = at;
  if (at > seen.lastSeen) seen.lastSeen = at;
}
