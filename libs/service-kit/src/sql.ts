import { type Rows, type Sql, workOwner } from '@weir/messaging';
import { DataSource, EntityManager, type QueryRunner } from 'typeorm';

/** Where statements run: the database, or a transaction of it. */
export type Session = Sql & Pick<EntityManager, 'getRepository'>;

/** How long an answer of the server proves that it is there. */
const PROOF_MS = 1_000;

type IsolationLevel = NonNullable<DataSource['options']['isolationLevel']>;
type Work<T> = (sql: Transaction) => Promise<T>;

/**
 * TypeORM's data source, plus `run` for written SQL. Repositories serve single rows of an entity, and `run` serves sets: claims with
 * `SKIP LOCKED`, `unnest`, upserts with conditions, aggregates.
 */
export class Database extends DataSource implements Sql {
  private answeredAt = Number.NEGATIVE_INFINITY;

  /** A statement succeeded, in whichever part of the process. */
  answered(): void {
    this.answeredAt = performance.now();
  }

  /**
   * Rejects unless the server answers. A statement that it answered a moment ago is proof enough: while all connections are busy,
   * another one would wait for its turn.
   */
  async prove(): Promise<void> {
    if (performance.now() - this.answeredAt > PROOF_MS) await this.run('SELECT 1');
  }

  run<Row>(sql: string, parameters?: unknown[]): Promise<Rows<Row>> {
    return runOn<Row>(this.createQueryRunner(), sql, parameters, true);
  }

  /**
   * Rolls back when `work` rejects. The default isolation level is read committed. The transaction has had its turn, so a query beside it
   * waits for no other.
   */
  override transaction<T>(work: Work<T>): Promise<T>;
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>;
  override transaction<T>(first: Work<T> | IsolationLevel, second?: Work<T>): Promise<T> {
    const inTurn = (second ?? first) as (manager: EntityManager) => Promise<T>;
    const work = (manager: EntityManager) => workOwner.leave(() => inTurn(manager));
    return typeof first === 'string' ? super.transaction(first, work) : super.transaction(work);
  }

  override createEntityManager(runner?: QueryRunner): EntityManager {
    return new Transaction(this, runner);
  }
}

/** TypeORM's entity manager, plus `run`. Inside `transaction` every statement belongs to that transaction. */
export class Transaction extends EntityManager implements Sql {
  run<Row>(sql: string, parameters?: unknown[]): Promise<Rows<Row>> {
    const own = this.queryRunner;
    return runOn<Row>(own ?? this.dataSource.createQueryRunner(), sql, parameters, !own);
  }
}

async function runOn<Row>(runner: QueryRunner, sql: string, parameters: unknown[] | undefined, release: boolean) {
  try {
    const { records, affected } = await runner.query(sql, parameters, true);
    return { rows: records as Row[], count: affected ?? records.length };
  } finally {
    if (release) await runner.release();
  }
}
