import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { InventoryBucket } from './bucket.js';
import type { InventoryRef } from './bucket.records.js';
import { InventoryRelay, tellChange } from './inventory.relay.js';
import { asConflict } from './unique.js';

export type TellChange = (kind: InventoryRef['kind'], id: string) => Promise<void>;

/**
 * Every change of the inventory goes through here: one transaction with its outbox rows, then the bucket, then the answer.
 * Without a broker nothing is changed (503). Should the broker go away in between, the change is committed, the answer is
 * a 503 that says so, and the relay brings the bucket up to date later.
 */
@Injectable()
export class InventoryWriter {
  constructor(
    private readonly database: DataSource,
    private readonly bucket: InventoryBucket,
    private readonly relay: InventoryRelay,
  ) {}

  async write<T>(change: (sql: Sql, tell: TellChange) => Promise<T>): Promise<T> {
    await this.bucket.requireBroker();
    const result = await this.commit(change);
    await this.relay.flush();
    return result;
  }

  private async commit<T>(change: (sql: Sql, tell: TellChange) => Promise<T>): Promise<T> {
    try {
      return await this.database.transaction((sql: Sql) => change(sql, (kind, id) => tellChange(sql, { kind, id })));
    } catch (error) {
      throw asConflict(error);
    }
  }
}
