import { Injectable } from '@nestjs/common';
import type { Sql } from '@weir/messaging';
import { DataSource } from 'typeorm';
import { InventoryBucket } from './bucket.js';
import type { InventoryRef } from './bucket.records.js';
import { InventoryRelay, tellChange } from './inventory.relay.js';
import { asConflict } from './unique.js';

export type TellChange = (kind: InventoryRef['kind'], id: string) => Promise<void>;

/**
 * Makes every change of the inventory: commits it with its outbox rows, updates the bucket, then answers. Without a broker it
 * changes nothing (503). If the broker goes away after the commit, the answer is a 503 that says so. The relay then updates the
 * bucket later.
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
