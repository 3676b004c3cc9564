import { Controller, Get } from '@nestjs/common';
import { INVENTORY_PAGE_SIZE } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../../http/api.js';

/** The last page of any list, in both forms that clients read: the inventory's paging and the catalog's counts. */
const EmptyPage = z
  .object({
    data: z.array(z.never()),
    paging: z.object({ total: z.literal(0) }),
    total: z.literal(0),
    currentPage: z.literal(1),
    pageSize: z.number(),
  })
  .meta({ id: 'EmptyPage' });
const EMPTY: z.output<typeof EmptyPage> = {
  data: [],
  paging: { total: 0 },
  total: 0,
  currentPage: 1,
  pageSize: INVENTORY_PAGE_SIZE,
};

const CatalogPath = z.object({
  kind: z
    .enum(['events', 'properties', 'custom-types', 'categories', 'tracking-plans'], 'There is nothing at this path')
    .meta({ description: 'Kind of the objects' }),
});

/** Accepts any filter, because the list is empty anyway. */
const common = { area: 'inventory', access: 'read', isQueryOpen: true, reply: EmptyPage } as const;

/** Kinds of objects that Weir does not have. Infrastructure-as-code clients list them before they plan. */
@Controller()
export class EmptyListController {
  @Get('/v2/accounts')
  @Api({ summary: 'List accounts of data sources: always empty', ...common })
  accounts() {
    return EMPTY;
  }

  @Get('/v2/event-stream-sources')
  @Api({
    summary: 'List sources outside the inventory: always empty',
    description: 'The sources of Weir are at /v2/sources.',
    ...common,
  })
  eventStreamSources() {
    return EMPTY;
  }

  @Get('/v2/data-graphs')
  @Api({ summary: 'List data graphs: always empty', ...common })
  dataGraphs() {
    return EMPTY;
  }

  @Get('/v2/catalog/:kind')
  @Api({ summary: 'List the objects of a data catalog: always empty', ...common, params: CatalogPath })
  catalog() {
    return EMPTY;
  }

  @Get('/v2/retl-sources')
  @Api({ summary: 'List sources of reverse ETL: always empty', ...common })
  retlSources() {
    return EMPTY;
  }

  @Get('/v2/retl-connections')
  @Api({ summary: 'List connections of reverse ETL: always empty', ...common })
  retlConnections() {
    return EMPTY;
  }
}
