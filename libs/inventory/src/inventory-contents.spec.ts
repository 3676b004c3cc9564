import { expect, it } from '@jest/globals';
import type { KvWatchEntry } from '@nats-io/kv';
import { inventoryKey } from '@weir/contracts';
import { sourceRecord } from '@weir/testing';
import { InventoryContents } from './inventory-contents.js';

let revision = 0;
const entry = (id: string, record?: object): KvWatchEntry =>
  ({
    ...{ key: inventoryKey('source', id), operation: record ? 'PUT' : 'DEL', isUpdate: true },
    ...{ revision: ++revision, json: () => record, string: () => JSON.stringify(record) },
  }) as unknown as KvWatchEntry;

it('keeps a write key that moved to a new source before the old one is gone', () => {
  const contents = new InventoryContents('bucket');
  const [old, next] = [sourceRecord(), sourceRecord()].map((one) => ({ ...one, writeKey: 'moved' }));
  if (!old || !next) throw new Error('two records were made');
  contents.apply(entry(old.id, old));
  contents.apply(entry(next.id, next));
  contents.apply(entry(old.id));
  expect(contents.sourceByWriteKey('moved')?.id).toBe(next.id);
  contents.apply(entry(next.id));
  expect(contents.sourceByWriteKey('moved')).toBeUndefined();
});
