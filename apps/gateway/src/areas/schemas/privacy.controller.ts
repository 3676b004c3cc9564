import { Body, Controller, Get, Param, Put } from '@nestjs/common';
import { GetSourcePrivacy, PutSourcePrivacy, SourcePrivacy } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Api } from '../../http/api.js';
import { SourcePath } from './insight.schemas.js';

const common = {
  area: 'schemas',
  params: SourcePath,
  reply: SourcePrivacy,
  errors: ['unavailable', 'timeout'],
} as const;

/** Controls which samples and frequent values of a source are kept and shown. */
@Controller('schemas/sources/:WriteKey/privacy')
export class PrivacyController {
  constructor(private readonly rpc: RpcClient) {}

  @Get()
  @Api({ summary: 'What samples of a source keep and show', ...common, access: 'read' })
  read(@Param() { WriteKey: writeKey }: SourcePath) {
    return this.rpc.send(GetSourcePrivacy, { writeKey });
  }

  @Put()
  @Api({
    summary: 'Mask or switch off what samples of a source keep and show',
    description: 'In force for every read after the answer. Counts, schemas and versions stay as they are.',
    ...common,
    access: 'write',
    body: SourcePrivacy,
  })
  write(@Param() { WriteKey: writeKey }: SourcePath, @Body() privacy: SourcePrivacy) {
    return this.rpc.send(PutSourcePrivacy, { writeKey, privacy });
  }
}
