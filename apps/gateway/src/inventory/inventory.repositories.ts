import { Injectable } from '@nestjs/common';
import { AppError, INVENTORY_PAGE_SIZE, nameTaken } from '@weir/contracts';
import { Database, type Transaction } from '@weir/service-kit';
import {
  type DeepPartial,
  type FindOptionsOrder,
  type FindOptionsWhere,
  In,
  type QueryDeepPartialEntity,
  type Repository,
} from 'typeorm';
import { heldBytes, refuseOverBudget } from './inventory.budget.js';
import {
  ConnectionEntity,
  DestinationEntity,
  type InventoryEntity,
  lockWorkspace,
  SourceEntity,
} from './inventory.entity.js';

/** Maximum number of objects of a kind per workspace. `inventory.budget.ts` bounds their bytes. */
const OBJECTS_MAX = 10_000;

const IN_ORDER = { createdAt: 'ASC', id: 'ASC' } as const;

/** Each change of an object has a later time than the one before, in milliseconds, so that its entity tag is new. */
const LATER = `greatest(date_trunc('milliseconds', clock_timestamp()), date_trunc('milliseconds', updated_at) + interval '1 millisecond')`;

export interface PageQuery {
  page: number;
  hasExternalId?: boolean | undefined;
}

/** An object that is not read yet, and the length of its longest text. */
export interface Listed {
  id: string;
  bytes: number;
}

type New<Row> = Omit<Row, 'createdAt' | 'updatedAt'>;
type Changes<Row> = { [Key in Exclude<keyof New<Row>, 'id' | 'workspaceId'>]?: Row[Key] | undefined };
/** `pessimistic_write` locks against any change, `for_key_share` only against deletion. */
type LockMode = 'pessimistic_write' | 'for_key_share';

/** Reads use the database directly. Changes and locks belong to the caller's transaction. */
export abstract class InventoryRepository<Row extends InventoryEntity> {
  constructor(
    protected readonly database: Database,
    private readonly entity: new () => Row,
    /** Name of one object. */
    readonly kind: string,
    /** SQL of the only text that may be long. */
    private readonly longText: string,
  ) {}

  /** One page in order of creation, and the total number of objects. */
  async page(workspaceId: string, { page, hasExternalId }: PageQuery): Promise<{ listed: Listed[]; total: number }> {
    const filter = hasExternalId === undefined ? '' : ` AND external_id IS ${hasExternalId ? 'NOT ' : ''}NULL`;
    const { rows } = await this.database.run<{ total: number }>(
      `SELECT count(*)::int AS total FROM ${this.table} WHERE workspace_id = $1${filter}`,
      [workspaceId],
    );
    const skip = (page - 1) * INVENTORY_PAGE_SIZE;
    return { listed: await this.listed(workspaceId, filter, skip, INVENTORY_PAGE_SIZE), total: rows[0]?.total ?? 0 };
  }

  /** All objects of the workspace, in order of creation. */
  listAll(workspaceId: string): Promise<Listed[]> {
    return this.listed(workspaceId, '', 0, OBJECTS_MAX);
  }

  /** Which of these ids exist in the workspace. */
  async idsAmong(workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
    const sql = `SELECT id FROM ${this.table} WHERE workspace_id = $1 AND id = ANY($2)`;
    const { rows } = await this.database.run<{ id: string }>(sql, [workspaceId, ids]);
    return new Set(rows.map(({ id }) => id));
  }

  async find(workspaceId: string, id: string): Promise<Row | undefined> {
    return (await this.findAll({ workspaceId, id }))[0];
  }

  findMany(workspaceId: string, ids: readonly string[]): Promise<Row[]> {
    return this.findAll({ workspaceId, id: In(ids) });
  }

  /** Locks the row until the transaction ends. */
  lock(tx: Transaction, workspaceId: string, id: string, mode: LockMode): Promise<Row | null> {
    return this.rows(tx).findOne({ where: { workspaceId, id } as FindOptionsWhere<Row>, lock: { mode } });
  }

  async insert(tx: Transaction, object: New<Row>): Promise<Row> {
    await this.refuseWhenFull(tx, object.workspaceId);
    const row = this.rows(tx).create(object as DeepPartial<Row>);
    await this.rows(tx).insert(row as QueryDeepPartialEntity<Row>);
    await refuseOverBudget(tx, object.workspaceId);
    return row;
  }

  /** `stored` is a locked row. Undefined values change nothing. What takes no more bytes than before is never refused. */
  async update(tx: Transaction, { workspaceId, id }: Row, changes: Changes<Row>): Promise<Row> {
    const where = { workspaceId, id } as FindOptionsWhere<Row>;
    const set = { ...changes, updatedAt: () => LATER } as unknown as QueryDeepPartialEntity<Row>;
    await lockWorkspace(tx, workspaceId);
    const before = await heldBytes(tx, workspaceId);
    await this.rows(tx).update(where, set);
    await refuseOverBudget(tx, workspaceId, before);
    return this.rows(tx).findOneByOrFail(where);
  }

  /** Returns false if there was no such object. */
  async remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean> {
    const { affected } = await this.rows(tx).delete({ workspaceId, id } as FindOptionsWhere<Row>);
    return affected === 1;
  }

  private get table(): string {
    return this.rows().metadata.tableName;
  }

  private async listed(workspaceId: string, filter: string, skip: number, limit: number): Promise<Listed[]> {
    const { rows } = await this.database.run<Listed>(
      `SELECT id, octet_length(${this.longText}) AS bytes FROM ${this.table} WHERE workspace_id = $1${filter}
       ORDER BY created_at, id OFFSET $2 LIMIT $3`,
      [workspaceId, skip, limit],
    );
    return rows;
  }

  /** In order of creation. */
  protected findAll(where: object): Promise<Row[]> {
    const order = IN_ORDER as FindOptionsOrder<Row>;
    return this.rows().find({ where: where as FindOptionsWhere<Row>, order });
  }

  protected rows(sql: Database | Transaction = this.database): Repository<Row> {
    return sql.getRepository(this.entity);
  }

  private async refuseWhenFull(tx: Transaction, workspaceId: string): Promise<void> {
    await lockWorkspace(tx, workspaceId);
    if ((await this.rows(tx).countBy({ workspaceId } as FindOptionsWhere<Row>)) < OBJECTS_MAX) return;
    throw new AppError('conflict', `A workspace has at most ${OBJECTS_MAX} ${this.kind}s`);
  }
}

/** The repository of objects whose name is unique in their workspace. */
abstract class NamedRepository<Row extends SourceEntity | DestinationEntity> extends InventoryRepository<Row> {
  /** Throws a conflict that tells who has the name. From here on, other creates of the workspace wait. */
  async requireFreeName(tx: Transaction, { workspaceId, name }: Pick<Row, 'workspaceId' | 'name'>): Promise<void> {
    await lockWorkspace(tx, workspaceId);
    const owner = await this.rows(tx).findOneBy({ workspaceId, name } as FindOptionsWhere<Row>);
    if (owner) throw nameTaken(this.kind, owner.id);
  }
}

type WriteKeyOwner = Pick<SourceEntity, 'workspaceId' | 'writeKey'>;

@Injectable()
export class SourceRepository extends NamedRepository<SourceEntity> {
  constructor(database: Database) {
    super(database, SourceEntity, 'source', 'config::text');
  }

  /** Remembers whose key it was, because SDKs that nobody updated go on to send with it. */
  async keepWriteKey(tx: Transaction, { workspaceId, writeKey }: WriteKeyOwner): Promise<void> {
    const sql = 'INSERT INTO former_write_keys (write_key, workspace_id) VALUES ($1, $2) ON CONFLICT DO NOTHING';
    await tx.run(sql, [writeKey, workspaceId]);
  }

  /** Ask after the insert: the unique key has then waited for a delete in progress. */
  async wasOfOthers(tx: Transaction, { workspaceId, writeKey }: WriteKeyOwner): Promise<boolean> {
    const sql = 'SELECT 1 FROM former_write_keys WHERE write_key = $1 AND workspace_id <> $2';
    return (await tx.run(sql, [writeKey, workspaceId])).rows.length > 0;
  }
}

@Injectable()
export class DestinationRepository extends NamedRepository<DestinationEntity> {
  constructor(database: Database) {
    super(database, DestinationEntity, 'destination', 'sealed_config');
  }

  /** Names by id. Unknown ids are left out. */
  async namesOf(workspaceId: string, ids: readonly string[]): Promise<Map<string, string>> {
    const sql = 'SELECT id, name FROM destinations WHERE workspace_id = $1 AND id = ANY($2)';
    const { rows } = await this.database.run<{ id: string; name: string }>(sql, [workspaceId, ids]);
    return new Map(rows.map(({ id, name }) => [id, name]));
  }
}

type Ends = Pick<ConnectionEntity, 'sourceId' | 'destinationId'>;

@Injectable()
export class ConnectionRepository extends InventoryRepository<ConnectionEntity> {
  constructor(database: Database) {
    super(database, ConnectionEntity, 'connection', "''");
  }

  listOfSource(workspaceId: string, sourceId: string): Promise<ConnectionEntity[]> {
    return this.findAll({ workspaceId, sourceId });
  }

  findPair(tx: Transaction, workspaceId: string, { sourceId, destinationId }: Ends): Promise<ConnectionEntity | null> {
    return tx.getRepository(ConnectionEntity).findOneBy({ workspaceId, sourceId, destinationId });
  }

  /** Write keys of the sources that send to any of these destinations, oldest connection first. */
  async writeKeysTo(workspaceId: string, destinationIds: readonly string[], limit: number): Promise<string[]> {
    const { rows } = await this.database.run<{ writeKey: string }>(
      `SELECT s.write_key AS "writeKey" FROM connections c
       JOIN sources s ON s.workspace_id = c.workspace_id AND s.id = c.source_id
       WHERE c.workspace_id = $1 AND c.destination_id = ANY($2) AND c.enabled
       GROUP BY s.write_key ORDER BY min(c.created_at), s.write_key LIMIT $3`,
      [workspaceId, destinationIds, limit],
    );
    return rows.map(({ writeKey }) => writeKey);
  }

  /** Removes the connections of a deleted source or destination and returns their ids. */
  async removeOf(tx: Transaction, workspaceId: string, end: { sourceId: string } | { destinationId: string }) {
    const [column, id] = 'sourceId' in end ? ['source_id', end.sourceId] : ['destination_id', end.destinationId];
    const { rows } = await tx.run<{ id: string }>(
      `DELETE FROM connections WHERE workspace_id = $1 AND ${column} = $2 RETURNING id`,
      [workspaceId, id],
    );
    return rows.map((row) => row.id);
  }
}
