import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ListUsedVersions, Replaced } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Caller, type Principal } from '../http/principal.js';
import { DestinationPath, type IdPath } from './inventory.schemas.js';
import { LinkService } from './link.service.js';

const Link = z
  .object({
    destinationId: z.string(),
    transformationId: z.string(),
    createdAt: z.string(),
    updatedAt: z.string(),
  })
  .meta({ id: 'ConnectedTransformation' });
/** Adds the version that each deliverer last ran for the destination, and when. Absent while unknown. */
const LinkInUse = Link.extend({ deliverers: ListUsedVersions.reply.shape.deliverers.optional() });
/** Names the transformation that the destination had before. */
const WrittenLink = Link.extend({ replaced: Replaced.optional() }).meta({ id: 'WrittenConnectedTransformation' });
const LinkBody = z
  .object({ transformationId: z.string() })
  .meta({ id: 'ConnectTransformation', examples: [{ transformationId: '2nVbmVzvVS3oSZWHUWDq4pRdEWT' }] });

const area = 'inventory';
const params = DestinationPath;
const errors = ['unavailable', 'timeout'] as const;

/** The transformation that a destination uses. */
@Controller()
export class LinkController {
  constructor(private readonly links: LinkService) {}

  @Get('/v2/destinations/:id/transformation')
  @Api({
    summary: 'Get the transformation of a destination, and the version that each deliverer last ran',
    area,
    access: 'read',
    params,
    reply: LinkInUse,
    errors,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.links.get(workspaceId, id);
  }

  @Put('/v2/destinations/:id/transformation')
  @Api({
    summary: 'Connect a published transformation to a destination. Replaces the current one, and names it',
    area,
    access: 'write',
    params,
    body: LinkBody,
    reply: WrittenLink,
    errors,
  })
  put(@Caller() caller: Principal, @Param() { id }: IdPath, @Body() { transformationId }: z.output<typeof LinkBody>) {
    return this.links.put(caller, id, transformationId);
  }

  @Delete('/v2/destinations/:id/transformation')
  @Api({
    summary: 'Disconnect the transformation of a destination',
    area,
    access: 'write',
    params,
    reply: Link,
    errors,
  })
  delete(@Caller() caller: Principal, @Param() { id }: IdPath) {
    return this.links.delete(caller, id);
  }
}
