import { Injectable } from '@nestjs/common';
import { type EventMetadata, notFound, type PiiFlag, type SourcePrivacy, Uuid } from '@weir/contracts';
import { DataSource } from 'typeorm';
import { Statistics } from '../aggregation/statistics.js';
import { metadataOf } from '../models/metadata.js';
import { ModelRepository } from '../models/model.repository.js';
import { type OwnedParts, StatisticsRepository } from '../statistics/statistics.repository.js';
import { ForgettingService } from './forgetting.service.js';
import { maskedBy, maskMetadata } from './mask.js';
import { piiFlagsOf } from './pii-flags.js';
import { PrivacyRepository, type Settings } from './privacy.repository.js';

const UNTOUCHED: Settings = { Samples: 'keep', MaskedKeys: [], forgottenUpTo: null };

/** Decides which samples and frequent values of a source are kept and shown. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly privacy: PrivacyRepository,
    private readonly models: ModelRepository,
    private readonly statistics: StatisticsRepository,
    private readonly forgetting: ForgettingService,
  ) {}

  async get(writeKey: string): Promise<SourcePrivacy> {
    const { Samples, MaskedKeys } = await this.settings(writeKey);
    return { Samples, MaskedKeys };
  }

  /**
   * From the first statement on, no flush adds what is off and no reader sees what exists. The removal follows. Safe to repeat.
   */
  async put(writeKey: string, privacy: SourcePrivacy): Promise<SourcePrivacy> {
    await this.privacy.put(writeKey, privacy);
    if (privacy.Samples === 'off') await this.forgetting.forget(writeKey);
    return privacy;
  }

  async piiFlags(eventId: string): Promise<PiiFlag[]> {
    const found = Uuid.safeParse(eventId).success && (await this.statistics.ofModel(this.dataSource, eventId));
    if (!found) throw notFound(`Event model ${eventId}`);
    return piiFlagsOf(
      await this.models.paths(eventId),
      metadataOf(found, await Statistics.sum(found.owner, found.parts)),
    );
  }

  /** Applies the source's settings. A value that only one user had can identify that user, so `mask` hides it too. */
  async show(owned: OwnedParts): Promise<EventMetadata> {
    const { Samples, MaskedKeys, forgottenUpTo } = await this.settings(owned.writeKey);
    const isHidden = Samples === 'off' || (forgottenUpTo !== null && owned.eventId > forgottenUpTo);
    const statistics = await Statistics.sum(owned.owner, isHidden ? [] : owned.parts);
    const metadata = metadataOf(owned, statistics);
    if (Samples !== 'mask') return metadata;
    const flagged = piiFlagsOf(await this.models.paths(owned.eventId), metadata);
    const isMasked = maskedBy([...MaskedKeys, ...flagged.map(({ Key }) => Key)]);
    return maskMetadata(metadataOf(owned, statistics, 'of several'), isMasked);
  }

  private async settings(writeKey: string): Promise<Settings> {
    return (await this.privacy.get(writeKey)) ?? UNTOUCHED;
  }
}
