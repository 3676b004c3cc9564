import { Injectable } from '@nestjs/common';
import {
  GetModelMetadata,
  isAppError,
  type JsonObject,
  ListModels,
  ListVersionDestinations,
  notFound,
  type PublishItems,
} from '@weir/contracts';
import { RpcClient, Slices } from '@weir/messaging';
import pLimit from 'p-limit';
import { InventoryLookup } from '../../inventory/inventory.lookup.js';

/** Most sources per transformation, and most event models per source, that samples come from. */
const SOURCES_MAX = 10;
const MODELS_MAX = 20;
/** All samples of one request must fit one message, beside the tests. */
const SAMPLES_BYTES_MAX = 262_144;
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

  /** Adds up to `count` samples to each transformation, and to live ones that run a library of the request. */
  async withSamples(workspaceId: string, items: PublishItems, count: number): Promise<PublishItems> {
    if (count === 0) return items;
    const versionIds = items.transformations.map(({ versionId }) => versionId);
    const libraryVersionIds = items.libraries.map(({ versionId }) => versionId);
    const request = { workspaceId, versionIds, libraryVersionIds };
    const { versions, dependents = [] } = await this.rpc.send(ListVersionDestinations, request);
    const destinations = new Map(versions.map(({ versionId, destinationIds }) => [versionId, destinationIds]));
    const bytesMax = Math.floor(SAMPLES_BYTES_MAX / (versionIds.length + dependents.length));
    const samplesOf = async (destinationIds: string[]) =>
      fitting(await this.samplesFor(workspaceId, destinationIds, count), bytesMax);
    const transformations: PublishItems['transformations'] = [];
    for (const item of items.transformations) {
      const destinationIds = destinations.get(item.versionId);
      if (!destinationIds) throw notFound(`version ${item.versionId}`);
      transformations.push({ ...item, samples: await samplesOf(destinationIds) });
    }
    const sampled: PublishItems['dependents'] = [];
    for (const { versionId, destinationIds } of dependents) {
      sampled.push({ versionId, samples: await samplesOf(destinationIds) });
    }
    return { ...items, transformations, ...(sampled.length > 0 && { dependents: sampled }) };
  }

  private async samplesFor(workspaceId: string, destinationIds: string[], count: number): Promise<JsonObject[]> {
    const writeKeys = await this.inventory.writeKeysTo(workspaceId, destinationIds, SOURCES_MAX);
    const limit = pLimit(CONCURRENCY);
    const pages = await limit.map(writeKeys, (writeKey) => this.rpc.send(ListModels, { writeKey }));
    const eventIds = pages.flatMap(({ models }) => models.slice(0, MODELS_MAX).map(({ EventID }) => EventID));
    return mixed(await limit.map(eventIds, (eventId) => this.samplesOf(eventId)), count);
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

/** Takes the first sample of each list, then the second of each, and so on. Every kind of event gets its share. */
export function mixed(lists: readonly (readonly JsonObject[])[], count: number): JsonObject[] {
  const rounds = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: rounds }, (_, round) => lists.flatMap((list) => list.slice(round, round + 1)))
    .flat()
    .slice(0, count);
}

/** The first samples that fit. Samples may total dozens of megabytes, so other requests get turns in between. */
export async function fitting(samples: readonly JsonObject[], bytesMax: number): Promise<JsonObject[]> {
  const slices = new Slices();
  let left = bytesMax;
  for (const [index, sample] of samples.entries()) {
    left -= Buffer.byteLength(JSON.stringify(sample)) + 1;
    if (left < 0) return samples.slice(0, index);
    if (slices.isOver) await slices.next();
  }
  return [...samples];
}
