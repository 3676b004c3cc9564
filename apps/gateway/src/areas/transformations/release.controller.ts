import { Body, Controller, Post, Query } from '@nestjs/common';
import { isAppError, type PublishItems, PublishRelease, TestRelease, ValidationOutput } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import { CredentialService } from '../credentials/credential.service.js';
import {
  ActionResults,
  actionResults,
  Published,
  PublishedOrNot,
  ReleaseBody,
  releaseItems,
} from './release.schemas.js';
import { ReplayService } from './replay.service.js';
import { ReplayQuery } from './revision.schemas.js';

const unreachable = ['not_found', 'too_large', 'unavailable', 'timeout'] as const;
const common = { area: 'transformations', access: 'write', body: ReleaseBody, needsBody: true } as const;
const publishing = {
  ...common,
  query: ReplayQuery,
  reply: Published,
  errors: ['tests_failed', 'conflict', 'precondition_failed', ...unreachable],
} as const;

/** Area A: publishes or tests several revisions together (spec 4.1, rulings 6 and 10). */
@Controller()
export class ReleaseController {
  constructor(
    private readonly rpc: RpcClient,
    private readonly replays: ReplayService,
    private readonly credentials: CredentialService,
  ) {}

  @Post('/transformations/libraries/publish')
  @Api({ summary: 'Publish revisions of transformations and libraries, all or none', ...publishing })
  publish(@Caller() caller: Principal, @Query() query: ReplayQuery, @Body() body: ReleaseBody) {
    return this.release(caller, query, body);
  }

  @Post('/libraries/publish')
  @Api({
    summary: 'Publish revisions of transformations and libraries, all or none',
    description: 'Same as /transformations/libraries/publish.',
    ...publishing,
  })
  publishLibraries(@Caller() caller: Principal, @Query() query: ReplayQuery, @Body() body: ReleaseBody) {
    return this.release(caller, query, body);
  }

  @Post('/transformations/publish')
  @Api({
    summary: 'Publish revisions, all or none, and answer a failed test with 200',
    description: 'The answer to a failed test has `published: false`.',
    ...common,
    query: ReplayQuery,
    reply: PublishedOrNot,
    errors: ['conflict', 'precondition_failed', ...unreachable],
  })
  async publishOrTell(@Caller() caller: Principal, @Query() query: ReplayQuery, @Body() body: ReleaseBody) {
    try {
      return await this.release(caller, query, body);
    } catch (error) {
      if (!isAppError(error) || error.code !== 'tests_failed') throw error;
      const validationOutput = ValidationOutput.parse(error.details?.['validationOutput']);
      return { message: error.message, published: false, validationOutput };
    }
  }

  @Post('/transformations/libraries/test')
  @Api({
    summary: 'Run the tests of a publish without publishing',
    ...common,
    reply: ActionResults,
    errors: unreachable,
  })
  async test(@Caller() caller: Principal, @Body() body: ReleaseBody) {
    return actionResults(await this.tested(caller, releaseItems(body)));
  }

  @Post('/transformations/tests/run')
  @Api({
    summary: 'Run test suites without publishing',
    ...common,
    query: ReplayQuery,
    reply: TestRelease.reply,
    errors: unreachable,
  })
  async run(@Caller() caller: Principal, @Query() { replaySamples }: ReplayQuery, @Body() body: ReleaseBody) {
    return this.tested(caller, await this.replays.withSamples(caller.workspaceId, releaseItems(body), replaySamples));
  }

  private async tested(caller: Principal, items: PublishItems) {
    const reach = await this.credentials.reachOf(caller);
    return this.rpc.send(TestRelease, { workspaceId: caller.workspaceId, items, ...reach });
  }

  private async release(caller: Principal, { replaySamples }: ReplayQuery, body: ReleaseBody) {
    const { workspaceId, email } = caller;
    const { commitId } = body;
    const items = await this.replays.withSamples(workspaceId, releaseItems(body), replaySamples);
    const reach = await this.credentials.reachOf(caller);
    return this.rpc.send(PublishRelease, { workspaceId, createdBy: email, commitId, items, ...reach });
  }
}
