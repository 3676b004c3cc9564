import { Body, Controller, Param, Post, Query, UseFilters } from '@nestjs/common';
import { DestinationTestResult } from '@weir/contracts';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { TestRefusalFilter } from './test.refusals.js';
import { TestDestinationBody, TestPath, TestQuery, TestSourceBody, TestSourceResults } from './test.schemas.js';
import { TestService } from './test.service.js';

const common = {
  area: 'test',
  access: 'test',
  params: TestPath,
  query: TestQuery,
  errors: ['too_large', 'unavailable', 'timeout'],
  needsBody: true,
} as const;

/** Area C: sends one event through the stages of a destination (spec 4.3). Failures of stages are results with status 200. */
@Controller('v0')
@UseFilters(TestRefusalFilter)
export class TestController {
  constructor(private readonly tests: TestService) {}

  @Post('testDestination/:id')
  @Api({
    summary: 'Show what one destination makes of an event',
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

  @Post('testSource/:id')
  @Api({
    summary: 'Show what each destination of a source makes of an event',
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
