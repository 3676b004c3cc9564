import { Injectable } from '@nestjs/common';
import {
  AppError,
  DELIVERIES_PAGE_SIZE,
  type Delivery,
  type DeliveryStatus,
  type GetDelivery,
  type JsonObject,
  type ListDeliveries,
  type ReplyOf,
} from '@weir/contracts';
import { Database } from '@weir/service-kit';
import { type EventNames, eventNamesOf } from '../units/delivery-unit.js';

export interface DeliveryFilter {
  destinationId?: string | undefined;
  status?: DeliveryStatus | undefined;
}

/** Start of a page: ids below this one, among deliveries with this status. */
interface Position {
  status: DeliveryStatus;
  below: string;
}

interface Row {
  id: string;
  destination_id: string;
  source_id: string;
  message_id: string | null;
  event_type: string | null;
  event_name: string | null;
  stage: Delivery['stage'];
  reason: string;
  status: number | null;
  attempts: number;
  received_at: Date;
  last_attempt_at: Date;
  next_attempt_at: Date | null;
  replay_at: Date | null;
  is_dropped: boolean;
  unnamed_event: unknown;
}

/**
 * Selects the same column names from both tables. Letters of earlier releases have no type, so they come with their event. The
 * query extracts nothing from events because PostgreSQL fails on those with a NUL.
 */
const SELECT: Record<DeliveryStatus, string> = {
  retrying: `SELECT id, destination_id, source_id, message_id, event_type, event_name, 'delivery' AS stage, reason, status,
    attempts, received_at, last_attempt_at, next_attempt_at, NULL AS replay_at, false AS is_dropped, NULL AS unnamed_event
    FROM retrying_deliveries`,
  dead: `SELECT id, destination_id, source_id, message_id, event_type, event_name,
    CASE WHEN event_type IS NULL THEN event END AS unnamed_event, stage, reason, status, attempts, received_at, created_at AS last_attempt_at, NULL AS next_attempt_at, replay_at,
    event IS NULL AS is_dropped
    FROM dead_letters`,
};
const ORDER: DeliveryStatus[] = ['retrying', 'dead'];

/** Lists deliveries that failed or wait for a retry. */
@Injectable()
export class DeliveryListRepository {
  constructor(private readonly database: Database) {}

  /** Retries first, then dead letters, each newest first. Throws `invalid` for a malformed cursor. */
  async list(workspaceId: string, filter: DeliveryFilter, cursor?: string): Promise<ReplyOf<typeof ListDeliveries>> {
    const from = cursor === undefined ? undefined : positionOf(cursor);
    const statuses = ORDER.slice(from ? ORDER.indexOf(from.status) : 0);
    const found: Delivery[] = [];
    for (const status of statuses.filter((one) => filter.status === undefined || filter.status === one)) {
      const below = from?.status === status ? from.below : undefined;
      const rows = await this.page({ workspaceId, ...filter, status, below, limit: PAGE - found.length });
      found.push(...rows.map((row) => deliveryOf(status, row)));
      if (found.length === PAGE) break;
    }
    const deliveries = found.slice(0, DELIVERIES_PAGE_SIZE);
    const last = deliveries.at(-1);
    return { deliveries, ...(last && found.length > deliveries.length && { next: cursorOf(last) }) };
  }

  /** Returns a dead letter, with its event if that was kept. */
  async find(workspaceId: string, id: string): Promise<ReplyOf<typeof GetDelivery> | undefined> {
    const select = SELECT.dead.replace('SELECT id,', 'SELECT id, event,');
    const {
      rows: [row],
    } = await this.database.run<Row & { event: JsonObject | null }>(`${select} WHERE workspace_id = $1 AND id = $2`, [
      workspaceId,
      id,
    ]);
    return row && { delivery: deliveryOf('dead', row), ...(row.event && { event: row.event }) };
  }

  private async page({ workspaceId, destinationId, status, below, limit }: PageOf): Promise<Row[]> {
    const { rows } = await this.database.run<Row>(
      `${SELECT[status]}
       WHERE workspace_id = $1 AND ($2::text IS NULL OR destination_id = $2) AND id < $3 ORDER BY id DESC LIMIT $4`,
      [workspaceId, destinationId ?? null, below ?? Number.MAX_SAFE_INTEGER, limit],
    );
    return rows;
  }
}

/** One extra row shows whether another page follows. */
const PAGE = DELIVERIES_PAGE_SIZE + 1;

interface PageOf {
  workspaceId: string;
  destinationId?: string | undefined;
  status: DeliveryStatus;
  below: string | undefined;
  limit: number;
}

const cursorOf = ({ status, id }: Delivery): string => `${status}.${id}`;

function positionOf(cursor: string): Position {
  const [, status, below] = /^(retrying|dead)\.(\d{1,18})$/.exec(cursor) ?? [];
  if (!status || !below) throw new AppError('invalid', 'after_cursor must come from paging.next of the page before');
  return { status: status as DeliveryStatus, below };
}

const namesOf = ({ unnamed_event, message_id, event_type, event_name }: Row): EventNames =>
  unnamed_event === null
    ? { messageId: message_id, eventType: event_type, eventName: event_name }
    : eventNamesOf(unnamed_event);

const deliveryOf = (status: DeliveryStatus, row: Row): Delivery => ({
  id: row.id,
  status,
  destinationId: row.destination_id,
  sourceId: row.source_id,
  ...given(namesOf(row)),
  stage: row.stage,
  reason: row.reason,
  ...(row.status !== null && { responseStatus: row.status }),
  attempts: row.attempts,
  receivedAt: row.received_at.toISOString(),
  lastAttemptAt: row.last_attempt_at.toISOString(),
  ...(row.next_attempt_at && { nextAttemptAt: row.next_attempt_at.toISOString() }),
  ...(row.replay_at && { replayRequestedAt: row.replay_at.toISOString() }),
  ...(row.is_dropped && { eventDropped: true as const }),
});

/** Omits names that are null. */
const given = (names: EventNames): Partial<Record<keyof EventNames, string>> =>
  Object.fromEntries(Object.entries(names).filter(([, name]) => name !== null));
