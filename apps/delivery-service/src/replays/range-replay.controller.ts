import { Controller, Inject } from '@nestjs/common';
import {
  AppError,
  GetRangeReplay,
  ListRangeReplays,
  type ReplyOf,
  type RequestOf,
  StartRangeReplay,
  SteerRangeReplay,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import type { Config } from '../config.js';
import { RangeReplayRepository } from './range-replay.repository.js';

/** Replays of time ranges. An archiver carries them out. */
@Controller()
export class RangeReplayController {
  constructor(
    private readonly replays: RangeReplayRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Handles(StartRangeReplay)
  async start({
    workspaceId,
    selection,
    by,
  }: RequestOf<typeof StartRangeReplay>): Promise<ReplyOf<typeof StartRangeReplay>> {
    if (!this.config.hasArchive)
      throw new AppError('unsupported', 'Events are not archived here: the operator has to set ARCHIVE_BUCKET');
    return { replay: await this.replays.start(workspaceId, selection, by) };
  }

  @Handles(ListRangeReplays)
  async list({ workspaceId }: RequestOf<typeof ListRangeReplays>): Promise<ReplyOf<typeof ListRangeReplays>> {
    return { replays: await this.replays.list(workspaceId) };
  }

  @Handles(GetRangeReplay)
  async get({ workspaceId, id }: RequestOf<typeof GetRangeReplay>): Promise<ReplyOf<typeof GetRangeReplay>> {
    return { replay: await this.replays.get(workspaceId, id) };
  }

  @Handles(SteerRangeReplay)
  async steer(request: RequestOf<typeof SteerRangeReplay>): Promise<ReplyOf<typeof SteerRangeReplay>> {
    return { replay: await this.replays.steer(request) };
  }
}
