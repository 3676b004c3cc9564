import { Injectable } from '@nestjs/common';
import { AppError, chunksOf } from '@weir/contracts';
import { listed, type Tagged } from '../http/entity-tag.js';
import { type Hold, InFlightBytes } from '../http/in-flight.js';
import { answerList, pageUnder, pagingOf } from '../http/lists.js';
import type { Reply } from '../http/request.js';
import type { InventoryEntity } from './inventory.entity.js';
import type { InventoryRepository, Listed } from './inventory.repositories.js';
import { type ExternalIdPageQuery, keptByPages, type PageQuery } from './inventory.schemas.js';

/** Long texts, as stored, that a list reads at a time. An object that is longer is read alone. */
const PIECE_BYTES = 262_144;
/** As stored, in all pages that are being answered. In memory, each byte takes several for a while. */
const PAGES_BYTES_MAX = 16_777_216;

/** Groups objects, so that reading one group takes little memory. */
export const piecesOf = (objects: readonly Listed[]): Listed[][] =>
  chunksOf(objects, { bytesMax: PIECE_BYTES, bytesOf: ({ bytes }) => bytes });

interface Asked {
  workspaceId: string;
  query: PageQuery & Partial<ExternalIdPageQuery>;
  reply: Reply;
}

/** Answers pages of objects whose configurations may be long, a piece at a time, and so many at once. */
@Injectable()
export class InventoryPages {
  private readonly inFlight = new InFlightBytes(PAGES_BYTES_MAX, noRoom);

  /** `List` is the type of the JSON. */
  async answer<Row extends InventoryEntity, List>(
    repository: InventoryRepository<Row>,
    { workspaceId, query, reply }: Asked,
    show: (row: Row) => Tagged | Promise<Tagged>,
  ): Promise<List> {
    const page = await repository.page(workspaceId, query);
    const pieces = piecesOf(page.listed);
    const hold = this.inFlight.open({ workspaceId });
    hold.add(Math.max(0, ...pieces.map(bytesOf)));
    releaseAfter(reply, hold);
    const name = `${repository.kind}s`;
    const paging = pagingOf(`/v2/${name}`, query.page, page.total, keptByPages(query));
    return answerList(pageUnder(name, paging), async (after: number | undefined) => {
      const at = after ?? 0;
      const ids = (pieces[at] ?? []).map(({ id }) => id);
      const shown = await Promise.all((await repository.findMany(workspaceId, ids)).map(show));
      return { items: listed(shown, query.etags), next: at + 1 < pieces.length ? at + 1 : undefined };
    });
  }
}

const bytesOf = (piece: readonly Listed[]) => piece.reduce((sum, { bytes }) => sum + bytes, 0);

/** The client may have left already. */
function releaseAfter({ raw }: Reply, hold: Hold): void {
  if (raw.destroyed) hold.release();
  else raw.once('close', hold.release);
}

const noRoom = () =>
  new AppError(
    'unavailable',
    'This workspace reads too many lists with large configurations at once. Try fewer at a time',
  );
