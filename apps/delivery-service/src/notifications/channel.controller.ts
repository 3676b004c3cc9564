import { Controller } from '@nestjs/common';
import {
  DeleteChannel,
  ListChannels,
  ListTroubles,
  PutChannel,
  type ReplyOf,
  type RequestOf,
  ResealChannel,
  TestChannel,
} from '@weir/contracts';
import { Handles } from '@weir/messaging';
import { ChannelRepository } from './channel.repository.js';
import { TroubleRepository } from './trouble.repository.js';

/** Where a workspace hears of trouble. Stores addresses that it cannot read. */
@Controller()
export class ChannelController {
  constructor(
    private readonly channels: ChannelRepository,
    private readonly troubles: TroubleRepository,
  ) {}

  @Handles(PutChannel)
  put(channel: RequestOf<typeof PutChannel>): Promise<ReplyOf<typeof PutChannel>> {
    return this.channels.put(channel);
  }

  @Handles(ListChannels)
  async list({ workspaceId }: RequestOf<typeof ListChannels>): Promise<ReplyOf<typeof ListChannels>> {
    return { channels: await this.channels.list(workspaceId) };
  }

  @Handles(ResealChannel)
  async reseal(request: RequestOf<typeof ResealChannel>): Promise<ReplyOf<typeof ResealChannel>> {
    await this.channels.reseal(request);
    return {};
  }

  @Handles(DeleteChannel)
  async remove({ workspaceId, id, by }: RequestOf<typeof DeleteChannel>): Promise<ReplyOf<typeof DeleteChannel>> {
    await this.channels.remove(workspaceId, id, by);
    return {};
  }

  @Handles(TestChannel)
  async test({ workspaceId, id }: RequestOf<typeof TestChannel>): Promise<ReplyOf<typeof TestChannel>> {
    return { messageId: await this.channels.test(workspaceId, id) };
  }

  @Handles(ListTroubles)
  async listTroubles({ workspaceId }: RequestOf<typeof ListTroubles>): Promise<ReplyOf<typeof ListTroubles>> {
    return { troubles: await this.troubles.list(workspaceId) };
  }
}
