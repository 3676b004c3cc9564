import { Injectable } from '@nestjs/common';
import {
  GetModelMetadata,
  isAppError,
  type JsonObject,
  ListModels,
  ListVersionDestinations,
  notFound,
  type ReleaseItems,
} from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';
import { inParallel } from '../test/in-parallel.js';
import { fitting, mixed, SAMPLES_BYTES_MAX } from './sampled-events.js';

/** Most sources per transformation, and most event models per source, that samples come from. */
const SOURCES_MAX = 10;
const MODELS_MAX = 20;
/** Concurrent calls to the schema service. */
const CONCURRENCY = 4;

/** Finds real events to test code before it goes live: samples from the sources of its destinations. */
@Injectable()
export class ReplayService {
  constructor(
    private readonly rpc: RpcClient,
    private readonly inventory: InventoryLookup,
  ) {}

  /** Up to `count` events of these destinations, as many as exist and fit. Undefined if `count` is 0. */
  async ofDestinations(workspaceId: string, destinationIds: string[], count: number) {
    if (count === 0) return undefined;
    return fitting(await this.samplesFor(workspaceId, destinationIds, count), SAMPLES_BYTES_MAX);
  }

  /** Same as {@link ofDestinations}, for the destinations of one transformation. Throws `not_found` for an unknown version. */
  async ofVersion(workspaceId: string, versionId: string, count: number) {
    const items = { transformations: [{ versionId }], libraries: [] };
    return (await this.withSamples(workspaceId, items, count)).transformations[0]?.samples;
  }

  /** Adds up to `count` samples to each transformation, as many as exist. */
  async withSamples(workspaceId: string, items: ReleaseItems, count: number): Promise<ReleaseItems> {
    if (count === 0 || items.transformations.length === 0) return items;
    const versionIds = items.transformations.map(({ versionId }) => versionId);
    const { versions } = await this.rpc.send(ListVersionDestinations, { workspaceId, versionIds });
    const destinations = new Map(versions.map(({ versionId, destinationIds }) => [versionId, destinationIds]));
    const bytesMax = Math.floor(SAMPLES_BYTES_MAX / items.transformations.length);
    const transformations = await inParallel(items.transformations, 1, async (item) => {
      const destinationIds = destinations.get(item.versionId);
      if (!destinationIds) throw notFound(`version ${item.versionId}`);
      const samples = await fitting(await this.samplesFor(workspaceId, destinationIds, count), bytesMax);
      return { ...item, samples };
    });
    return { ...items, transformations };
  }

  private async samplesFor(workspaceId: string, destinationIds: string[], count: number): Promise<JsonObject[]> {
    const writeKeys = await this.inventory.writeKeysTo(workspaceId, destinationIds, SOURCES_MAX);
    const pages = await inParallel(writeKeys, CONCURRENCY, (writeKey) => this.rpc.send(ListModels, { writeKey }));
    const eventIds = pages.flatMap(({ models }) => models.slice(0, MODELS_MAX).map(({ EventID }) => EventID));
    return mixed(await inParallel(eventIds, CONCURRENCY, (eventId) => this.samplesOf(eventId)), count);
  }

  /** A model may disappear while it is read, for example after a deletion of its users. */
  private async samplesOf(eventId: string): Promise<JsonObject[]> {
    try {
      return (await this.rpc.send(GetModelMetadata, { eventId })).SampledEvents;
    } catch (error) {
      if (isAppError(error) && error.code === 'not_found') return [];
      throw error;
    }
  }
}
