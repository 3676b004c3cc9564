import { Injectable } from '@nestjs/common';
import { type EventMetadata, notFound, type PiiFlag, type SourcePrivacy, Uuid } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { Statistics } from '../aggregation/statistics.js';
import { metadataOf } from '../models/metadata.js';
import { ModelRepository } from '../models/model.repository.js';
import { type OwnedParts, StatisticsRepository } from '../statistics/statistics.repository.js';
import { maskedBy, maskMetadata } from './mask.js';
import { piiFlagsOf } from './pii-flags.js';
import { PrivacyRepository } from './privacy.repository.js';

const MODELS_AT_ONCE = 100;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const UNTOUCHED: SourcePrivacy = { Samples: 'keep', MaskedKeys: [] };

/** What samples and frequent values of a source keep and show. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly privacy: PrivacyRepository,
    private readonly models: ModelRepository,
    private readonly statistics: StatisticsRepository,
  ) {}

  async get(writeKey: string): Promise<SourcePrivacy> {
    return (await this.privacy.get(writeKey)) ?? UNTOUCHED;
  }

  /** From the first statement on no flush adds what is off; then what is there goes. May be repeated. */
  async put(writeKey: string, privacy: SourcePrivacy): Promise<SourcePrivacy> {
    await this.privacy.put(writeKey, privacy);
    if (privacy.Samples === 'off') await this.forgetSource(writeKey);
    return privacy;
  }

  async piiFlags(eventId: string): Promise<PiiFlag[]> {
    const found = Uuid.safeParse(eventId).success && (await this.statistics.ofModel(this.dataSource, eventId));
    if (!found) throw notFound(`Event model ${eventId}`);
    return piiFlagsOf(await this.models.paths(eventId), metadataOf(found, Statistics.sum(found.owner, found.parts)));
  }

  /** As the source's settings want it. A value that one user alone had may be as telling as a name: it is masked, too. */
  async show(owned: OwnedParts): Promise<EventMetadata> {
    const { Samples, MaskedKeys } = await this.get(owned.writeKey);
    const statistics = Statistics.sum(owned.owner, Samples === 'off' ? [] : owned.parts);
    const metadata = metadataOf(owned, statistics);
    if (Samples !== 'mask') return metadata;
    const flagged = piiFlagsOf(await this.models.paths(owned.eventId), metadata);
    const isMasked = maskedBy([...MaskedKeys, ...flagged.map(({ Key }) => Key)]);
    return maskMetadata(metadataOf(owned, statistics, 'of several'), isMasked);
  }

  private async forgetSource(writeKey: string): Promise<void> {
    for (let after: string | undefined = FIRST_ID; after !== undefined; ) {
      const eventIds: string[] = await this.privacy.models(writeKey, after, MODELS_AT_ONCE);
      for (const eventId of eventIds) {
        await this.dataSource.transaction((sql) => this.privacy.forgetStatistics(sql, eventId));
      }
      after = eventIds.at(-1);
    }
  }
}
