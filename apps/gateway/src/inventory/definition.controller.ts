import { Controller, Get, Param } from '@nestjs/common';
import { DestinationDefinition, notFound } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { DefinitionCatalog } from './definition.catalog.js';

const DefinitionPath = z.object({ name: z.string() });

/** Destination kinds, for everybody: bare values as clients read them (wire-facts 3.6). */
@Controller('destination-definitions')
export class DefinitionController {
  constructor(private readonly catalog: DefinitionCatalog) {}

  @Get()
  @Api({
    summary: 'List the destination definitions',
    area: 'public',
    access: 'none',
    reply: z.array(DestinationDefinition),
    errors: ['unavailable'],
  })
  list() {
    return this.catalog.list();
  }

  @Get(':name')
  @Api({
    summary: 'One destination definition',
    area: 'public',
    access: 'none',
    params: DefinitionPath,
    reply: DestinationDefinition,
    errors: ['not_found', 'unavailable'],
  })
  async get(@Param() { name }: z.output<typeof DefinitionPath>) {
    const definition = await this.catalog.find(name);
    if (!definition) throw notFound('destination definition');
    return definition;
  }
}
