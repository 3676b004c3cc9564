import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { INVENTORY_BUCKET, INVENTORY_MARKER, inventoryKey } from '@weir/contracts';
import { connectNats, ensureTopology } from '@weir/messaging';
import {
  loseInventory,
  markInventory,
  PATIENCE_MS,
  patientJetStream,
  patientManager,
  until,
  useNats,
  useTcpProxy,
} from '@weir/testing';
import { InventoryMirror } from '../src/index.js';

const SOURCE = { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', sourceId: '0ujzPyRiIAffKhBux4PvQdDqMHY' };
const silent = { warn: () => undefined };

const nats = useNats();
const proxy = useTcpProxy(() => nats.url);
/** Longer than a question of the mirror waits for its answer. */
const SILENT_MS = 3_000;
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

const bucket = () => new Kvm(patientJetStream(nats.connection)).open(INVENTORY_BUCKET);
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
    await made.waitFor({ revision }, PATIENCE_MS);
    expect(made.sourceByWriteKey('second')?.id).toBe(source.id);
    expect(made.sourceByWriteKey('first')).toBeUndefined();
  });

  it('tells how many bytes the bucket has', async () => {
    const made = await mirror();
    const name = 's'.repeat(100_000);
    await put('source', { ...source, name, writeKey: 'long' } as { id: string });
    await made.catchUp(PATIENCE_MS);
    expect(made.bytes).toBeGreaterThan(name.length);
    expect(made.bytes).toBeLessThan(2 * name.length);
  });

  it('starts beside a broker that does not answer for some seconds', async () => {
    await put('source', { ...source, writeKey: 'kept' } as { id: string });
    const slow = await connectNats(proxy.url, 'a process that starts');
    proxy.hold();
    const made = new InventoryMirror(slow, silent);
    mirrors.push(made);
    const started = made.start();
    const outcome = started.then(
      () => 'started',
      () => 'failed',
    );
    await until('it to ask', () => proxy.holds('STREAM.INFO'));
    expect(await Promise.race([outcome, delay(SILENT_MS, 'waits')])).toBe('waits');
    proxy.release();
    await started;
    expect(made.sourceByWriteKey('kept')?.id).toBe(source.id);
    await slow.close();
  });

  it('forgets what was deleted', async () => {
    const [older, newer] = ['0ujtsYcgvSTl8PAuAdqWYSMnLOa', '0ujtsYcgvSTl8PAuAdqWYSMnLOb'] as const;
    await put('connection', connection(newer));
    const revision = await put('connection', connection(older));
    const made = await mirror();
    await made.waitFor({ revision }, PATIENCE_MS);
    expect(made.connectionsOf(source.id).map(({ id }) => id)).toEqual([older, newer]);
    await (await bucket()).delete(inventoryKey('connection', older));
    await made.waitFor({ revision: revision + 1 }, PATIENCE_MS);
    expect(made.connectionsOf(source.id).map(({ id }) => id)).toEqual([newer]);
  });

  it('says so when it cannot catch up, and takes a bucket that was made anew for what it is', async () => {
    await put('source', { ...source, writeKey: 'any' } as { id: string });
    const made = await mirror();
    await expect(made.waitFor({ revision: made.mark.revision + 1_000 }, 50)).resolves.toBeUndefined();
  });
});

describe('of a bucket that may lack something', () => {
  const putSource = (writeKey: string) => put('source', { ...source, writeKey } as { id: string });

  it('shows nothing, and lets nobody go by it, until the gateway says that it is complete', async () => {
    await loseInventory(nats.connection);
    const made = await mirror();
    const revision = await putSource('early');
    await until('the mirror', () => made.unmarkedBucket !== undefined);
    await expect(made.waitFor({ revision }, 50)).rejects.toThrow('not up to date');
    await expect(made.catchUp(50)).rejects.toThrow('not up to date');
    expect(made.whyIncomplete).toContain('the gateway has not written');
    expect(made.sourceByWriteKey('early')).toBeUndefined();
    await markInventory(nats.connection);
    await made.waitFor({ revision }, PATIENCE_MS);
    expect(made.whyIncomplete).toBeUndefined();
    expect(made.sourceByWriteKey('early')?.id).toBe(source.id);
  });

  it('keeps what it has when the bucket is lost, and takes what the next one has once that is complete', async () => {
    await putSource('old');
    const made = await mirror();
    await loseInventory(nats.connection);
    await expect(made.catchUp(50)).rejects.toThrow('not up to date');
    expect(made.whyIncomplete).toContain('the gateway has not written');
    expect(made.sourceByWriteKey('old')?.id).toBe(source.id);
    const other = await mirror();
    const changed: string[] = [];
    made.onChange(({ objectType, id }) => changed.push(`${objectType}/${id}`));
    await markInventory(nats.connection);
    await until('the mirror', () => other.whyIncomplete === undefined);
    // waits for a mark of the new bucket, although its revisions are lower
    await made.waitFor(other.mark, PATIENCE_MS);
    expect(made.sourceByWriteKey('old')).toBeUndefined();
    expect(changed).toContain(`source/${source.id}`);
  });

  it('says so while the bucket is missing', async () => {
    const made = await mirror();
    const { streams } = await patientManager(nats.connection);
    await streams.delete(`KV_${INVENTORY_BUCKET}`);
    await until('the mirror', () => made.whyIncomplete !== undefined);
    expect(made.whyIncomplete).toBe('the bucket is missing: run the migrations');
    await ensureTopology(nats.connection);
    await markInventory(nats.connection);
    await until('the mirror', () => made.whyIncomplete === undefined);
  });

  it('takes no word about another bucket', async () => {
    const { bucket: before } = await mirror();
    await loseInventory(nats.connection);
    await (await bucket()).put(inventoryKey(INVENTORY_MARKER.objectType, INVENTORY_MARKER.id), before);
    const made = await mirror();
    expect(made.whyIncomplete).toContain('the gateway has not written');
    expect(made.unmarkedBucket).toBe(made.bucket);
    await markInventory(nats.connection);
    await until('the mirror', () => made.whyIncomplete === undefined);
  });

  it('notices that the word was purged with everything else', async () => {
    const made = await mirror();
    expect(made.unmarkedBucket).toBeUndefined();
    const { streams } = await patientManager(nats.connection);
    await streams.purge(`KV_${INVENTORY_BUCKET}`);
    await until('the mirror', () => made.unmarkedBucket !== undefined);
    await markInventory(nats.connection);
    await until('the mirror', () => made.unmarkedBucket === undefined);
  });
});
