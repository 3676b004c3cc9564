import { Controller, Inject, Injectable } from '@nestjs/common';
import {
  type EventMetadata,
  GetSourcePrivacy,
  ListPiiFlags,
  notFound,
  type PiiFlag,
  PutSourcePrivacy,
  type ReplyOf,
  type RequestOf,
  type SourcePrivacy,
  Uuid,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CONFIG, Database } from '@weir/service-kit';
import { Statistics } from '../aggregation/statistics.js';
import type { Config } from '../config.js';
import { metadataOf } from '../statistics/metadata.js';
import { type OwnedIncrements, StatisticsRepository } from '../statistics/statistics.repository.js';
import { ForgettingService } from './forgetting.service.js';
import { maskedBy, maskMetadata } from './mask.js';
import { piiFlagsOf } from './personal-keys.js';
import { PrivacyRepository, type SourcePrivacyEntity } from './privacy.repository.js';

type Settings = Pick<SourcePrivacyEntity, 'samples' | 'maskedKeys' | 'forgottenUpTo'>;

/** Decides which samples and frequent values of a source are kept and shown. */
@Injectable()
export class PrivacyService {
  constructor(
    private readonly dataSource: Database,
    private readonly privacy: PrivacyRepository,
    private readonly statistics: StatisticsRepository,
    private readonly forgetting: ForgettingService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'newSourceSamples'>,
  ) {}

  async get(writeKey: string): Promise<SourcePrivacy> {
    const { samples, maskedKeys } = await this.settings(writeKey);
    return { Samples: samples, MaskedKeys: maskedKeys };
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
      await this.privacy.keysOf(eventId),
      metadataOf(found, await Statistics.sum(found.owner, found.increments)),
    );
  }

  /** Applies the source's settings. A value that only one user had can identify that user, so `mask` hides it too. */
  async show(owned: OwnedIncrements): Promise<EventMetadata> {
    const { samples, maskedKeys, forgottenUpTo } = await this.settings(owned.writeKey);
    const isHidden = samples === 'off' || (forgottenUpTo !== null && owned.eventId > forgottenUpTo);
    const statistics = await Statistics.sum(owned.owner, isHidden ? [] : owned.increments);
    const metadata = metadataOf(owned, statistics);
    if (samples !== 'mask') return metadata;
    const flagged = piiFlagsOf(await this.privacy.keysOf(owned.eventId), metadata);
    const isMasked = maskedBy([...maskedKeys, ...flagged.map(({ Key }) => Key)]);
    return maskMetadata(metadataOf(owned, statistics, 'of several'), isMasked);
  }

  private async settings(writeKey: string): Promise<Settings> {
    const untouched = { samples: this.config.newSourceSamples, maskedKeys: [], forgottenUpTo: null };
    return (await this.privacy.get(writeKey)) ?? untouched;
  }
}

@Controller()
export class PrivacyController {
  constructor(private readonly privacy: PrivacyService) {}

  @Handles(GetSourcePrivacy)
  get({ writeKey }: RequestOf<typeof GetSourcePrivacy>): Promise<ReplyOf<typeof GetSourcePrivacy>> {
    return this.privacy.get(writeKey);
  }

  @Handles(PutSourcePrivacy)
  put({ writeKey, privacy }: RequestOf<typeof PutSourcePrivacy>): Promise<ReplyOf<typeof PutSourcePrivacy>> {
    return this.privacy.put(writeKey, privacy);
  }

  @Handles(ListPiiFlags)
  async piiFlags({ eventId }: RequestOf<typeof ListPiiFlags>): Promise<ReplyOf<typeof ListPiiFlags>> {
    return { flags: await this.privacy.piiFlags(eventId) };
  }
}
