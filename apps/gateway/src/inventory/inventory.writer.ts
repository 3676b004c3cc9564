import { Injectable } from '@nestjs/common';
import { AppError } from '@weir/contracts';
import { SQL_STATE, sqlStateOf } from '@weir/messaging';
import { Database, type Transaction } from '@weir/service-kit';
import { acting, recordAct } from '../acts/acting.js';
import { InventoryBucket, type InventoryRef } from './bucket.js';
import { InventoryRelay, tellChange } from './inventory.relay.js';

type TellChange = (kind: InventoryRef['kind'], id: string) => Promise<void>;

/**
 * Makes every change of the inventory: commits it with its outbox rows and the act for the audit trail, updates the bucket, then answers. Without a broker it
 * changes nothing (503). If the broker goes away after the commit, the answer is a 503 that says so. The relay then updates the
 * bucket later.
 */
@Injectable()
export class InventoryWriter {
  constructor(
    private readonly database: Database,
    private readonly bucket: InventoryBucket,
    private readonly relay: InventoryRelay,
  ) {}

  async write<T>(change: (tx: Transaction, tell: TellChange) => Promise<T>): Promise<T> {
    await this.bucket.requireBroker();
    const told = new Set<string | undefined>();
    const result = await this.commit(change, told);
    for (const workspaceId of told) await this.relay.flush(workspaceId);
    return result;
  }

  /**
   * Tries again after a deadlock. An update locks a connection before its ends, and a deletion locks an end before its connections.
   *
   * @param told Receives the workspaces whose objects changed
   */
  private async commit<T>(
    change: (tx: Transaction, tell: TellChange) => Promise<T>,
    told: Set<string | undefined>,
    triesLeft = DEADLOCK_TRIES,
  ): Promise<T> {
    try {
      return await this.database.transaction((tx) =>
        change(tx, async (kind, id) => {
          const workspaceId = kind === 'workspace' ? id : acting.getStore()?.workspaceId;
          told.add(workspaceId);
          await tellChange(tx, { kind, id }, workspaceId);
          await recordAct(tx, { kind, id, ...(kind === 'workspace' && { workspaceId: id }) });
        }),
      );
    } catch (error) {
      if (triesLeft > 0 && sqlStateOf(error) === SQL_STATE.DEADLOCK) return this.commit(change, told, triesLeft - 1);
      throw asConflict(error);
    }
  }
}

/** A deadlock is rare, and a second one at the same object rarer still. */
const DEADLOCK_TRIES = 2;

const PAIR_EXISTS =
  'Connection already exists for this source and destination pair. Use PUT /v2/connections/:id/external-id to set its externalId';
export const connectionExists = () => new AppError('conflict', PAIR_EXISTS);

const WRITE_KEY_TAKEN = 'This writeKey is taken: leave it out to get a new one';
/** Also for a key of a source that another workspace deleted, whose SDKs may still send. */
export const writeKeyTaken = () => new AppError('conflict', WRITE_KEY_TAKEN);

/** Messages for violated constraints of `0002-create-inventory`. */
const MESSAGES: Record<string, string> = {
  sources_name: 'A source with this name already exists in the workspace',
  sources_write_key_key: WRITE_KEY_TAKEN,
  destinations_name: 'A destination with this name already exists in the workspace',
  destinations_external_id: 'A destination with this externalId already exists in the workspace',
  connections_pair: PAIR_EXISTS,
  connections_external_id: 'A connection with this externalId already exists in the workspace',
};

/** Converts a violated unique constraint to `conflict`. Returns other errors unchanged. */
function asConflict(error: unknown): unknown {
  if (!(error instanceof Error) || sqlStateOf(error) !== SQL_STATE.UNIQUE_VIOLATION) return error;
  const constraint = String(Reflect.get(error, 'constraint'));
  return new AppError('conflict', MESSAGES[constraint] ?? 'It already exists', undefined, { cause: error });
}
