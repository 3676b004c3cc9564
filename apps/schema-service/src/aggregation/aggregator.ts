import type { EventBatch, JsonObject } from '@weir/contracts';
import { type FlatEvent, Flattener } from './flatten.js';
import { eventIdOf, versionIdOf } from './ids.js';
import { SHAPE_PATHS_MAX } from './limits.js';
import { type ModelKey, modelKeyOf, type SkipReason } from './model-key.js';
import { PathTrie } from './path-trie.js';
import { type Shape, shapeOf } from './shape.js';
import { Statistics } from './statistics.js';

/** When events were seen: ISO 8601 of the intake's clock, which sorts as text. */
interface Seen {
  count: number;
  firstSeen: string;
  lastSeen: string;
}

export interface VersionDelta extends Seen {
  versionId: string;
  schema: Shape['schema'];
  statistics: Statistics;
}

export interface ModelDelta extends Seen, ModelKey {
  eventId: string;
  workspaceId: string;
  writeKey: string;
  statistics: Statistics;
  /** By shape hash, in the order in which they were first met. */
  versions: Map<string, VersionDelta>;
}

/** What some batches add to what is stored. Adding is order-independent, but for the order of types in a model's schema. */
export interface Delta {
  models: ModelDelta[];
  skipped: Map<SkipReason, number>;
}

export type BatchEvents = Pick<EventBatch, 'workspaceId' | 'writeKey' | 'receivedAt' | 'events'>;

/** Turns batches into deltas. Keeps what it learnt of paths and shapes; nothing of that reaches a result. */
export class Aggregator {
  private trie = new PathTrie();
  private flattener = new Flattener(this.trie);
  private readonly shapes = new Map<string, Shape>();
  private shapePaths = 0;

  aggregate(batches: readonly BatchEvents[]): Delta {
    const models = new Map<string, ModelDelta>();
    const skipped: Delta['skipped'] = new Map();
    for (const batch of batches) {
      for (const event of batch.events) {
        const reason = this.add(event, batch, models);
        if (reason) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
      }
    }
    return { models: [...models.values()], skipped };
  }

  private add(event: JsonObject, batch: BatchEvents, models: Map<string, ModelDelta>): SkipReason | undefined {
    const key = modelKeyOf(event);
    if (typeof key === 'string') return key;
    const flat = this.flatten(event);
    if (!flat) return 'paths';
    const model = modelIn(models, batch, key);
    const version = versionIn(model, this.shape(flat), batch.receivedAt);
    for (const seen of [model, version]) {
      count(seen, batch.receivedAt);
      seen.statistics.observe(event, flat.leaves);
    }
    return undefined;
  }

  /** A trie that dynamic keys have filled starts anew: shapes have hashes of their own, so results stay the same. */
  private flatten(event: JsonObject): FlatEvent | undefined {
    if (this.trie.isFull) {
      this.trie = new PathTrie();
      this.flattener = new Flattener(this.trie);
      this.forgetShapes();
    }
    return this.flattener.flatten(event);
  }

  private shape({ fingerprint, leaves }: FlatEvent): Shape {
    let shape = this.shapes.get(fingerprint);
    if (!shape) {
      shape = shapeOf(leaves);
      this.remember(fingerprint, shape);
    }
    return shape;
  }

  private remember(fingerprint: string, shape: Shape): void {
    if (this.shapePaths > SHAPE_PATHS_MAX) this.forgetShapes();
    this.shapePaths += shape.schema.size;
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
  const name = `${writeKey}\0${eventType}\0${eventIdentifier}`; // clean texts hold no NUL
  let model = models.get(name);
  if (!model) {
    const eventId = eventIdOf(writeKey, eventType, eventIdentifier);
    const statistics = Statistics.none('model');
    model = { eventId, workspaceId, writeKey, ...key, ...seenNever(receivedAt), statistics, versions: new Map() };
    models.set(name, model);
  }
  return model;
}

function versionIn({ eventId, versions }: ModelDelta, { hash, schema }: Shape, receivedAt: string): VersionDelta {
  let version = versions.get(hash);
  if (!version) {
    const versionId = versionIdOf(eventId, hash);
    version = { versionId, schema, ...seenNever(receivedAt), statistics: Statistics.none('version') };
    versions.set(hash, version);
  }
  return version;
}

const seenNever = (at: string): Seen => ({ count: 0, firstSeen: at, lastSeen: at });

function count(seen: Seen, at: string): void {
  seen.count += 1;
  if (at < seen.firstSeen) seen.firstSeen = at;
  if (at > seen.lastSeen) seen.lastSeen = at;
}
