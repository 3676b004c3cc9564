import { Controller, Get } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../../http/api.js';

/** The last page of any list, in both forms that clients read: the inventory's paging and the catalog's counts. */
const EmptyPage = z.object({
  data: z.array(z.never()),
  paging: z.object({ total: z.literal(0) }),
  total: z.literal(0),
  currentPage: z.literal(1),
  pageSize: z.number(),
});
const EMPTY: z.output<typeof EmptyPage> = {
  data: [],
  paging: { total: 0 },
  total: 0,
  currentPage: 1,
  pageSize: INVENTORY_PAGE_SIZE,
};

const CatalogPath = z.object({
  kind: z.enum(
    ['events', 'properties', 'custom-types', 'categories', 'tracking-plans'],
    'There is nothing at this path',
  ),
});

/** Accepts any filter, because the list is empty anyway. */
const common = { area: 'inventory', access: 'read', isQueryOpen: true, reply: EmptyPage } as const;

/** Kinds of objects that Weir does not have. Infrastructure-as-code clients list them before they plan. */
@Controller('v2')
export class EmptyListController {
  @Get('accounts')
  @Api({ summary: 'Accounts of data sources: none', ...common })
  accounts() {
    return EMPTY;
  }

  @Get('event-stream-sources')
  @Api({
    summary: 'Sources that are managed apart from the inventory: none',
    description: 'Sources of Weir are at /v2/sources.',
    ...common,
  })
  eventStreamSources() {
    return EMPTY;
  }

  @Get('catalog/:kind')
  @Api({ summary: 'What a data catalog would plan: nothing', ...common, params: CatalogPath })
  catalog() {
    return EMPTY;
  }

  @Get('retl-sources')
  @Api({ summary: 'Sources of reverse ETL: none', ...common })
  retlSources() {
    return EMPTY;
  }

  @Get('retl-connections')
  @Api({ summary: 'Connections of reverse ETL: none', ...common })
  retlConnections() {
    return EMPTY;
  }
}
