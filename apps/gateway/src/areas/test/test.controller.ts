import { Body, Controller, Get, Param, Post, Query, UseFilters } from '@nestjs/common';
import { DestinationTestResult, GetTestRun, ListTestRuns } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Api } from '../../http/api.js';
import { nextPage } from '../../http/lists.js';
import { Caller, type Principal } from '../../http/principal.js';
import {
  TestDestinationBody,
  TestPath,
  TestQuery,
  TestRefusal,
  TestRunAnswer,
  TestRunPage,
  TestRunPath,
  TestRunsQuery,
  TestSourceBody,
  TestSourceResults,
} from './test.schemas.js';
import { TestRefusalFilter, TestService } from './test.service.js';

const common = {
  area: 'test',
  access: 'test',
  params: TestPath,
  query: TestQuery,
  errors: ['too_large', 'unavailable', 'timeout'],
  needsBody: true,
  refusal: TestRefusal,
} as const;

/** Area C: sends one event through the stages of a destination (spec 4.3). Failures of stages are results with status 200. */
@Controller()
@UseFilters(TestRefusalFilter)
export class TestController {
  constructor(private readonly tests: TestService) {}

  @Post('/v0/testDestination/:id')
  @Api({
    summary: 'Show what a destination would receive for an event',
    ...common,
    body: TestDestinationBody,
    reply: DestinationTestResult,
  })
  testDestination(
    @Caller() caller: Principal,
    @Param() { id }: TestPath,
    @Query() query: TestQuery,
    @Body() body: TestDestinationBody,
  ) {
    return this.tests.testDestination(caller, id, body, query);
  }

  @Post('/v0/testSource/:id')
  @Api({
    summary: 'Show what each destination of a source would receive for an event',
    ...common,
    body: TestSourceBody,
    reply: TestSourceResults,
  })
  testSource(
    @Caller() caller: Principal,
    @Param() { id }: TestPath,
    @Query() query: TestQuery,
    @Body() body: TestSourceBody,
  ) {
    return this.tests.testSource(caller, id, body, query);
  }
}

const reading = { area: 'test', access: 'read', errors: ['unavailable', 'timeout'] } as const;

/** Detailed test runs of the last seven days. A workspace keeps its newest thousand. */
@Controller()
export class TestRunController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('/v2/test-runs')
  @Api({
    summary: 'List test runs with details, newest first',
    ...reading,
    query: TestRunsQuery,
    reply: TestRunPage,
  })
  async list(@Caller() { workspaceId }: Principal, @Query() { after_cursor: cursor, ...filter }: TestRunsQuery) {
    const { runs, next } = await this.rpc.send(ListTestRuns, { workspaceId, cursor, ...filter });
    return { data: runs, paging: nextPage('/v2/test-runs', next, filter) };
  }

  @Get('/v2/test-runs/:id')
  @Api({ summary: 'Get a test run with its request and result', ...reading, params: TestRunPath, reply: TestRunAnswer })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: TestRunPath) {
    return this.rpc.send(GetTestRun, { workspaceId, id });
  }
}
