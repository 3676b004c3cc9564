import { Injectable } from '@nestjs/common';
import {
  AppError,
  DRIFT_PAGE_SIZE,
  type ListDrift,
  notFound,
  type ObservedSchema,
  type ReplyOf,
  type RequestOf,
  Uuid,
  type VersionDiff,
} from '@weir/contracts';
import { type ModelFilter, PAGE_BYTES_MAX, VersionRepository } from '../models/models.repository.js';
import { DriftListRepository } from './drift-list.repository.js';
import { jsonSchemaOf } from './json-schema.js';
import { type CountedModel, KeyCountRepository, keyFactsPage } from './key-facts.js';
import { diffOf } from './version-diff.js';

/** Models of one page. */
const MODELS_AT_ONCE = 20;

const isUuid = (id: string) => Uuid.safeParse(id).success;

/** Reads that go beyond the specification. */
@Injectable()
export class InsightsService {
  constructor(
    private readonly counts: KeyCountRepository,
    private readonly versions: VersionRepository,
    private readonly drift: DriftListRepository,
  ) {}

  async keyFacts(eventId: string, after: string | undefined) {
    return keyFactsPage(await this.model(eventId), after);
  }

  async jsonSchema(eventId: string): Promise<ObservedSchema> {
    return observedSchema(await this.model(eventId));
  }

  /** Returns as many schemas as fit one message. Reads one model at a time, because its versions may take some megabytes. */
  async jsonSchemas(filter: ModelFilter, after = 0): Promise<{ schemas: ObservedSchema[]; next?: number }> {
    const models = await this.counts.list(
      { ...filter, writeKey: filter.writeKey || undefined },
      after,
      MODELS_AT_ONCE + 1,
    );
    const schemas: ObservedSchema[] = [];
    let bytes = 0;
    let last = after;
    for (const { id, eventId } of models.slice(0, MODELS_AT_ONCE)) {
      const model = await this.counts.one(eventId);
      if (model) {
        const observed = observedSchema(model);
        bytes += Buffer.byteLength(JSON.stringify(observed)) + 1;
        if (schemas.length > 0 && bytes > PAGE_BYTES_MAX) break;
        schemas.push(observed);
      }
      last = id;
    }
    return last === models.at(-1)?.id || models.length === 0 ? { schemas } : { schemas, next: last };
  }

  async diff(versionId: string, against: string): Promise<VersionDiff> {
    const [before, after] = [await this.shape(against), await this.shape(versionId)];
    if (before.eventId !== after.eventId) {
      throw new AppError('invalid', 'against must be a version of the same event model');
    }
    return { VersionID: versionId, Against: against, ...diffOf(before.version, after.version) };
  }

  /** An unknown source or model has no notices. */
  async listDrift(request: RequestOf<typeof ListDrift>): Promise<ReplyOf<typeof ListDrift>> {
    const { workspaceId, eventId, limit = DRIFT_PAGE_SIZE } = request;
    if (eventId !== undefined && !isUuid(eventId)) return { workspaceId, notices: [] };
    const found = await this.drift.list(request);
    const notices = found.slice(0, limit);
    const last = notices.at(-1);
    return { workspaceId, notices, ...(last && found.length > limit && { next: last.ID }) };
  }

  private async model(eventId: string): Promise<CountedModel> {
    const model = isUuid(eventId) && (await this.counts.one(eventId));
    if (!model) throw notFound(`Event model ${eventId}`);
    return model;
  }

  private async shape(versionId: string) {
    const found = isUuid(versionId) && (await this.versions.schemas(versionId));
    if (!found) throw notFound(`Event version ${versionId}`);
    return found;
  }
}

function observedSchema(model: CountedModel): ObservedSchema {
  const { eventId, writeKey, eventType: schemaType, eventIdentifier: schemaIdentifier } = model;
  return { eventId, writeKey, schemaType, schemaIdentifier, schema: jsonSchemaOf(model) };
}
