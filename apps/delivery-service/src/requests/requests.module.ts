import { type DynamicModule, Module } from '@nestjs/common';
import { ActsRelay, KitModule } from '@weir/service-kit';
import { ArchivePurgeRepository } from '../archive/archive-purge.repository.js';
import { PurgeFence } from '../checks/purge-fence.js';
import { UsedRevisionRepository } from '../code/used-revisions.js';
import type { Config } from '../config.js';
import { DeadLetterPurge } from '../dead-letters/dead-letter-purge.js';
import { migrations } from '../migrations/index.js';
import { ChannelController } from '../notifications/channel.controller.js';
import { ChannelRepository } from '../notifications/channel.repository.js';
import { TroubleRepository } from '../notifications/trouble.repository.js';
import { DeliveryCountRepository } from '../outcomes/delivery-counts.js';
import { RangeReplayController } from '../replays/range-replay.controller.js';
import { RangeReplayRepository } from '../replays/range-replay.repository.js';
import { ReplayRepository } from '../replays/replay.repository.js';
import { ReplayRequests } from '../replays/replay-requests.js';
import { TraceRepository } from '../traces/trace.repository.js';
import { TraceDays } from '../traces/trace-days.js';
import { TraceReader } from '../traces/trace-reader.js';
import { DeliveryController } from './delivery.controller.js';
import { DeliveryListRepository } from './delivery-list.repository.js';

/** The process that answers `delivery.*` requests from the tables. */
@Module({})
export class RequestsModule {
  static register(config: Config): DynamicModule {
    const schema = { name: 'delivery', migrations } as const;
    return {
      module: RequestsModule,
      imports: [KitModule.register({ process: 'delivery-service.main', config, schema })],
      controllers: [DeliveryController, ChannelController, RangeReplayController],
      providers: [
        ...[DeliveryCountRepository, DeliveryListRepository, UsedRevisionRepository],
        ...[ReplayRepository, ReplayRequests],
        ...[TraceReader, TraceRepository, TraceDays, DeadLetterPurge, PurgeFence],
        ...[ChannelRepository, ActsRelay, TroubleRepository],
        ...[RangeReplayRepository, ArchivePurgeRepository],
      ],
    };
  }
}
