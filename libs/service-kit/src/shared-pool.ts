import { AppError } from '@weir/contracts';
import { FairLimiter, type WorkOwner, workOwner } from '@weir/messaging';
import pg, { type PoolClient, type PoolConfig } from 'pg';

type Connected = (error: Error | undefined, client: PoolClient | undefined, done: (destroy?: unknown) => void) => void;

/** Connections that calls of workspaces leave free, for what guards sending, for leases and for health. */
const RESERVED_SHARE = 0.3;
/** The rest that one workspace may use. The other half keeps everybody else going. */
const WORKSPACE_SHARE = 0.5;
/** Waiting queries of one workspace. Behind more of them, a caller times out first. */
const WAITING_MAX = 1_000;

/**
 * Shares the connections of a process among workspaces. Work without an owner takes any free connection, as before. Whoever holds a
 * connection in a transaction asks for no second turn (see `Database.transaction`), so nobody waits for himself.
 */
export class SharedPool extends pg.Pool {
  private readonly calls: FairLimiter;
  private readonly urgentCalls: FairLimiter;

  constructor(options: PoolConfig & { max: number; connectionTimeoutMillis: number }) {
    super(options);
    const { max, connectionTimeoutMillis: waitMs } = options;
    const shared = (all: number) =>
      new FairLimiter({ max: all, ownerMax: Math.ceil(all * WORKSPACE_SHARE), waitingMax: WAITING_MAX, waitMs });
    this.calls = shared(Math.max(1, Math.floor(max * (1 - RESERVED_SHARE))));
    this.urgentCalls = shared(max);
  }

  /** Queries that wait for their turn or for a connection. */
  get waitingQueries(): number {
    return this.waitingCount + this.calls.waiting + this.urgentCalls.waiting;
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<PoolClient> | undefined {
    if (!callback) return super.connect();
    const owner = workOwner.get();
    if (owner) this.connectInTurn(owner, callback);
    else super.connect(callback);
    return undefined;
  }

  private connectInTurn({ workspaceId, isUrgent }: WorkOwner, callback: Connected): void {
    const limiter = isUrgent ? this.urgentCalls : this.calls;
    const use = () => new Promise<void>((end) => super.connect(endingWith(end, callback)));
    limiter.use(workspaceId, use).catch((cause: unknown) => {
      const message = 'Too many requests of the workspace wait for the database. Try again';
      callback(new AppError('unavailable', message, undefined, { cause }), undefined, () => undefined);
    });
  }
}

/** Calls `end` when the connection is released, or when there is none. */
const endingWith =
  (end: () => void, callback: Connected): Connected =>
  (error, client, done) => {
    if (!client) {
      end();
      return callback(error, client, done);
    }
    const { release } = client;
    client.release = (destroy) => {
      release(destroy);
      end();
    };
    callback(error, client, client.release as typeof done);
  };

/** The driver for TypeORM, with this pool. */
export const driver = Object.assign(Object.create(pg), { Pool: SharedPool });
