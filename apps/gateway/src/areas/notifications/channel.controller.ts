import { Body, Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ListTroubles, TestChannel } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import { ChannelAnswer, ChannelChange, ChannelList, ChannelPath, NewChannel } from './channel.schemas.js';
import { ChannelService } from './channel.service.js';

const common = { area: 'deliveries', errors: ['unavailable', 'timeout'] } as const;
const params = ChannelPath;
const errors = ['conflict', ...common.errors] as const;

/** Where a workspace hears of trouble: webhooks, Slack and mail. */
@Controller()
export class ChannelController {
  constructor(
    private readonly channels: ChannelService,
    private readonly rpc: RpcClient,
  ) {}

  @Get('/v2/notifications')
  @Api({
    summary: 'List the channels that notify the workspace of trouble',
    ...common,
    access: 'read',
    reply: ChannelList,
  })
  async list(@Caller() caller: Principal) {
    return { channels: await this.channels.list(caller) };
  }

  @Post('/v2/notifications')
  @Api({
    summary: 'Create a channel',
    description:
      'A webhook gets signed messages as in standardwebhooks.com. Without `secret`, Weir makes one and shows it once. Mail ' +
      'needs a mail server, which the operator sets.',
    ...common,
    access: 'write',
    body: NewChannel,
    status: 201,
    reply: ChannelAnswer,
    errors,
  })
  async create(@Caller() caller: Principal, @Body() body: NewChannel) {
    return { channel: await this.channels.create(caller, body) };
  }

  @Get('/v2/notifications/troubles')
  @Api({
    summary: 'List troubles of the workspace: open ones first, then those of the last days',
    description: 'Weir looks for trouble in workspaces with an enabled channel only.',
    ...common,
    access: 'read',
    reply: ListTroubles.reply,
  })
  listTroubles(@Caller() { workspaceId }: Principal) {
    return this.rpc.send(ListTroubles, { workspaceId });
  }

  @Get('/v2/notifications/:id')
  @Api({ summary: 'Get a channel', ...common, access: 'read', params, reply: ChannelAnswer })
  async get(@Caller() caller: Principal, @Param() { id }: ChannelPath) {
    return { channel: await this.channels.get(caller, id) };
  }

  @Put('/v2/notifications/:id')
  @Api({
    summary: 'Change a channel: fields that are missing stay',
    ...common,
    access: 'write',
    params,
    body: ChannelChange,
    needsBody: true,
    reply: ChannelAnswer,
    errors,
  })
  async update(@Caller() caller: Principal, @Param() { id }: ChannelPath, @Body() body: ChannelChange) {
    return { channel: await this.channels.update(caller, id, body) };
  }

  @Delete('/v2/notifications/:id')
  @Api({ summary: 'Delete a channel', ...common, access: 'write', params, status: 204, reply: z.void() })
  async remove(@Caller() caller: Principal, @Param() { id }: ChannelPath) {
    await this.channels.remove(caller, id);
  }

  @Post('/v2/notifications/:id/test')
  @Api({
    summary: 'Send a test message through a channel',
    description: 'The message is on its way when this answers. `health` of the channel says what became of it.',
    ...common,
    access: 'write',
    params,
    status: 202,
    reply: TestChannel.reply,
    errors,
  })
  test(@Caller() { workspaceId }: Principal, @Param() { id }: ChannelPath) {
    return this.rpc.send(TestChannel, { workspaceId, id });
  }
}
