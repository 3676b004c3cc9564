import { Body, Controller, Delete, Get, Param, Put } from '@nestjs/common';
import { ListUsedVersions } from '@weir/contracts';
import { z } from 'zod';
import { Caller, type Principal } from '../auth/principal.js';
import { Api } from '../http/api.js';
import { LinkService } from './link.service.js';
import { DestinationPath, type IdPath } from './paths.js';

const Link = z.object({
  destinationId: z.string(),
  transformationId: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
/** Adds the version that each deliverer last ran for the destination, and when. Absent while unknown. */
const LinkInUse = Link.extend({ deliverers: ListUsedVersions.reply.shape.deliverers.optional() });
const LinkBody = z.object({ transformationId: z.string() });

const area = 'inventory';
const params = DestinationPath;
const errors = ['unavailable', 'timeout'] as const;

/** The transformation that a destination uses. */
@Controller('v2/destinations/:id/transformation')
export class LinkController {
  constructor(private readonly links: LinkService) {}

  @Get()
  @Api({
    summary: 'The transformation of a destination, and the version that each deliverer last ran',
    area,
    access: 'read',
    params,
    reply: LinkInUse,
    errors,
  })
  get(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.links.get(workspaceId, id);
  }

  @Put()
  @Api({
    summary: 'Connect a published transformation to a destination, in place of another',
    area,
    access: 'write',
    params,
    body: LinkBody,
    reply: Link,
    errors,
  })
  put(
    @Caller() { workspaceId }: Principal,
    @Param() { id }: IdPath,
    @Body() { transformationId }: z.output<typeof LinkBody>,
  ) {
    return this.links.put(workspaceId, id, transformationId);
  }

  @Delete()
  @Api({
    summary: 'Disconnect the transformation of a destination',
    area,
    access: 'write',
    params,
    reply: Link,
    errors,
  })
  delete(@Caller() { workspaceId }: Principal, @Param() { id }: IdPath) {
    return this.links.delete(workspaceId, id);
  }
}
