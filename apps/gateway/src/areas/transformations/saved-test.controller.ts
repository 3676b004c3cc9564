import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { GetSavedTests, SavedTests, SetSavedTests, TESTS_MAX } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { z } from 'zod';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import { testCase } from './release.schemas.js';
import { TransformationPath } from './revision.schemas.js';

type Path = z.output<typeof TransformationPath>;

const SavedTestsBody = z.object({ tests: z.array(testCase).max(TESTS_MAX) }).meta({
  id: 'SetSavedTests',
  examples: [SetSavedTests.example.request].map(({ tests }) => ({ tests })),
});

const common = {
  area: 'transformations',
  params: TransformationPath,
  reply: SavedTests,
  errors: ['unavailable', 'timeout'],
} as const;

/** Area A: tests that stay with a transformation. */
@Controller()
export class SavedTestController {
  constructor(private readonly rpc: RpcClient) {}

  @Get('/transformations/:id/tests')
  @Api({ summary: 'Get the saved tests of a transformation', access: 'read', ...common })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: Path) {
    return this.rpc.send(GetSavedTests, { workspaceId, id });
  }

  @Put('/transformations/:id/tests')
  @Api({
    summary: 'Replace the saved tests of a transformation',
    description:
      'Each publish of the transformation runs them, beside the tests of the request, and so does a publish of a library that ' +
      'it imports. A rollback does not. Put no data of real people into them: a deletion does not look here.',
    access: 'write',
    body: SavedTestsBody,
    needsBody: true,
    ...common,
  })
  set(
    @Caller() { workspaceId, email: by }: Principal,
    @Param() { id }: Path,
    @Body() { tests }: z.output<typeof SavedTestsBody>,
  ) {
    return this.rpc.send(SetSavedTests, { workspaceId, id, tests, by });
  }
}
