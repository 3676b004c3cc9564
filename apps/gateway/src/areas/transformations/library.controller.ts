import { Controller, Get, Param } from '@nestjs/common';
import { ListLibraryUsages } from '@weir/contracts';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { LIBRARY } from './library.schemas.js';
import { LibraryService } from './library.service.js';
import { revisionRoutes } from './revision.routes.js';

/** Area A: libraries. */
@Controller('libraries')
export class LibraryController extends revisionRoutes(LIBRARY) {
  constructor(readonly service: LibraryService) {
    super();
  }

  @Get(':id/usages')
  @Api({
    summary: 'Published transformations and libraries that run a library, themselves or through another one',
    area: 'transformations',
    access: 'read',
    params: LIBRARY.params,
    reply: ListLibraryUsages.reply,
    errors: ['unavailable', 'timeout'],
  })
  usages(@Caller() { workspaceId }: Principal, @Param() { id }: { id: string }) {
    return this.service.usages(workspaceId, id);
  }
}
