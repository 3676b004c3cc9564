import { Controller, Get, Param, Query } from '@nestjs/common';
import { GetTestRun, ListTestRuns } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { nextPage } from '../next-page.js';
import { TestRunAnswer, TestRunPage, TestRunPath, TestRunsQuery } from './test.schemas.js';

const common = { area: 'test', access: 'read', errors: ['unavailable', 'timeout'] } as const;
const PATH = 'v2/test-runs';

/** Detailed test runs of the last seven days. A workspace keeps its newest thousand. */
@Controller(PATH)
export class TestRunController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Api({
    summary: 'List tests that were run with details, newest first',
    ...common,
    query: TestRunsQuery,
    reply: TestRunPage,
  })
  async list(@Caller() { workspaceId }: Principal, @Query() { after_cursor: cursor, ...filter }: TestRunsQuery) {
    const { runs, next } = await this.rpc.send(ListTestRuns, { workspaceId, cursor, ...filter });
    return { data: runs, paging: nextPage(PATH, next, filter) };
  }

  @Get(':id')
  @Api({ summary: 'One test with its request and result', ...common, params: TestRunPath, reply: TestRunAnswer })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: TestRunPath) {
    return this.rpc.send(GetTestRun, { workspaceId, id });
  }
}
