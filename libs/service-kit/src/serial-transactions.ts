import { KeyedQueue } from '@weir/messaging';
import type { Database, Transaction } from './sql.js';

/** Transactions of one key that may wait in this process. Each takes some 10 ms, so behind more of them a caller times out first. */
const WAITING_MAX = 500;

/**
 * Runs the transactions of a key, such as a workspace, one at a time. Those of this process wait here and not at the lock. There each would
 * hold a connection, and leave none for others.
 */
export class SerialTransactions {
  private readonly queue = new KeyedQueue(WAITING_MAX);

  /** @param lock keeps out the transactions of other processes until this one ends */
  constructor(private readonly lock: (sql: Transaction, key: string) => Promise<unknown>) {}

  /** Throws `unavailable` if too many wait. */
  run<T>(database: Database, key: string, work: (sql: Transaction) => Promise<T>): Promise<T> {
    return this.queue.run(key, () =>
      database.transaction(async (sql) => {
        await this.lock(sql, key);
        return work(sql);
      }),
    );
  }
}
