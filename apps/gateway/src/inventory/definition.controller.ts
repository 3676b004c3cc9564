import { Controller, Get, Param } from '@nestjs/common';
import { DestinationDefinition, notFound } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { pathText } from '../http/fields.js';
import { DefinitionCatalog } from './definition.catalog.js';

const DefinitionPath = z.object({ name: pathText.meta({ description: 'Name of the definition, such as WEBHOOK' }) });

const reading = { area: 'test', access: 'read', errors: ['unavailable'] } as const;

/**
 * Destination kinds, equal for all workspaces. Answers bare values, as clients expect. Requires a token (spec 5.1, ruling 30).
 */
@Controller()
export class DefinitionController {
  constructor(private readonly catalog: DefinitionCatalog) {}

  @Get('/destination-definitions')
  @Api({
    summary: 'List the destination definitions',
    ...reading,
    reply: z.array(DestinationDefinition),
  })
  list() {
    return this.catalog.list();
  }

  @Get('/destination-definitions/:name')
  @Api({
    summary: 'Get a destination definition',
    ...reading,
    params: DefinitionPath,
    reply: DestinationDefinition,
  })
  async get(@Param() { name }: z.output<typeof DefinitionPath>) {
    const definition = await this.catalog.find(name);
    if (!definition) throw notFound('destination definition');
    return definition;
  }
}
