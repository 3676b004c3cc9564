import { afterEach, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { INVENTORY_BUCKET, inventoryKey } from '@weir/contracts';
import { useNats } from '@weir/testing';
import { InventoryMirror } from '../src/index.js';
import { SOURCE, silent } from './fixtures.js';

const nats = useNats();
const mirrors: InventoryMirror[] = [];

const source = { id: SOURCE.sourceId, workspaceId: SOURCE.workspaceId, name: 's', type: 'HTTP', enabled: true };
const connection = (id: string) => ({
  id,
  workspaceId: SOURCE.workspaceId,
  sourceId: SOURCE.sourceId,
  destinationId: SOURCE.workspaceId,
  enabled: true,
});

async function mirror(): Promise<InventoryMirror> {
  const made = new InventoryMirror(nats.connection, silent);
  await made.start();
  mirrors.push(made);
  return made;
}

const bucket = () => new Kvm(nats.connection).open(INVENTORY_BUCKET);
const put = async (kind: 'source' | 'connection', record: { id: string }) =>
  (await bucket()).put(inventoryKey(kind, record.id), JSON.stringify(record));

afterEach(() => {
  for (const made of mirrors.splice(0)) made.stop();
});

describe('the inventory mirror', () => {
  it('has what the bucket had at its start, and follows', async () => {
    await put('source', { ...source, writeKey: 'first' } as { id: string });
    const made = await mirror();
    expect(made.sourceByWriteKey('first')?.id).toBe(source.id);
    const revision = await put('source', { ...source, writeKey: 'second' } as { id: string });
    await made.waitFor(revision, 2_000);
    expect(made.sourceByWriteKey('second')?.id).toBe(source.id);
    expect(made.sourceByWriteKey('first')).toBeUndefined();
  });

  it('forgets what was deleted', async () => {
    const [older, newer] = ['0ujtsYcgvSTl8PAuAdqWYSMnLOa', '0ujtsYcgvSTl8PAuAdqWYSMnLOb'] as const;
    await put('connection', connection(newer));
    const revision = await put('connection', connection(older));
    const made = await mirror();
    await made.waitFor(revision, 2_000);
    expect(made.connectionsOf(source.id).map(({ id }) => id)).toEqual([older, newer]);
    await (await bucket()).delete(inventoryKey('connection', older));
    await made.waitFor(revision + 1, 2_000);
    expect(made.connectionsOf(source.id).map(({ id }) => id)).toEqual([newer]);
  });

  it('says so when it cannot catch up, and takes a bucket that was made anew for what it is', async () => {
    const made = await mirror();
    await expect(made.waitFor(made.revision + 1_000, 50)).resolves.toBeUndefined();
  });
});
