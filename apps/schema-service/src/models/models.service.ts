import { Injectable } from '@nestjs/common';
import {
  type EventMetadata,
  type EventModel,
  type EventVersion,
  type FindModelOwner,
  type ListModels,
  notFound,
  type RequestOf,
  Uuid,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { compareText } from '../aggregation/schema.js';
import { PrivacyService } from '../privacy/privacy.service.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { ModelRepository, type Page, VersionRepository } from './models.repository.js';

const isUuid = (id: string) => Uuid.safeParse(id).success;

/** Reads models and versions. An id that is not a UUID counts as unknown (ruling 24). */
@Injectable()
export class ModelsService {
  constructor(
    private readonly models: ModelRepository,
    private readonly versions: VersionRepository,
    private readonly statistics: StatisticsRepository,
    private readonly privacy: PrivacyService,
    private readonly dataSource: Database,
  ) {}

  /** An empty write key means no filter (wire-facts 4.2). */
  listModels({ writeKey, after = 0, ...rest }: RequestOf<typeof ListModels> = {}): Promise<Page<EventModel>> {
    return this.models.list({ ...rest, writeKey: writeKey || undefined, after });
  }

  /** The workspace of a model. Undefined if the id is unknown. */
  async owner(id: RequestOf<typeof FindModelOwner>): Promise<string | undefined> {
    const [eventId, versionId] = 'eventId' in id ? [id.eventId, undefined] : [undefined, id.versionId];
    return isUuid(eventId ?? versionId ?? '') ? this.models.ownerOf({ eventId, versionId }) : undefined;
  }

  async listVersions(eventId: string, after = 0, limit?: number): Promise<Page<EventVersion>> {
    return isUuid(eventId) ? this.versions.list(eventId, after, limit) : { rows: [] };
  }

  async modelMetadata(eventId: string): Promise<EventMetadata> {
    const found = isUuid(eventId) && (await this.statistics.ofModel(this.dataSource, eventId));
    if (!found) throw modelNotFound(eventId);
    return this.privacy.show(found);
  }

  async versionMetadata(versionId: string): Promise<EventMetadata> {
    const found = isUuid(versionId) && (await this.statistics.ofVersion(this.dataSource, versionId));
    if (!found) throw versionNotFound(versionId);
    return this.privacy.show(found);
  }

  async keyCounts(eventId: string): Promise<Record<string, number>> {
    const found = isUuid(eventId) && (await this.models.keyCounts(eventId));
    if (!found) throw modelNotFound(eventId);
    return Object.fromEntries(found);
  }

  /** Paths of the model that the version lacks, whatever their types (schema-facts 1.9). */
  async missingKeys(versionId: string): Promise<string[]> {
    const found = isUuid(versionId) && (await this.versions.schemas(versionId));
    if (!found) throw versionNotFound(versionId);
    return Object.keys(found.model)
      .filter((path) => !Object.hasOwn(found.version, path))
      .sort(compareText);
  }
}

const modelNotFound = (id: string) => notFound(`Event model ${id}`);
const versionNotFound = (id: string) => notFound(`Event version ${id}`);
