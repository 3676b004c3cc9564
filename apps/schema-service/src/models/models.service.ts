import { Injectable } from '@nestjs/common';
import { type EventMetadata, type EventModel, type EventVersion, notFound, Uuid } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { compareText } from '../aggregation/text.js';
import { PrivacyService } from '../privacy/privacy.service.js';
import { StatisticsRepository } from '../statistics/statistics.repository.js';
import { ModelRepository } from './model.repository.js';
import type { Page } from './page.js';
import { VersionRepository } from './version.repository.js';

const isUuid = (id: string) => Uuid.safeParse(id).success;

/** Reads models and versions. An id that is not a UUID counts as unknown (ruling 24). */
@Injectable()
export class ModelsService {
  constructor(
    private readonly models: ModelRepository,
    private readonly versions: VersionRepository,
    private readonly statistics: StatisticsRepository,
    private readonly privacy: PrivacyService,
    private readonly dataSource: DataSource,
  ) {}

  /** An empty write key means no filter (wire-facts 4.2). */
  listModels(writeKey = '', after = 0, limit?: number): Promise<Page<EventModel>> {
    return this.models.list(writeKey || undefined, after, limit);
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
