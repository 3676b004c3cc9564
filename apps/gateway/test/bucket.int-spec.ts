import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Kvm } from '@nats-io/kv';
import { INVENTORY_BUCKET, inventoryKey, ListDefinitions, type SourceRecord } from '@weir/contracts';
import { InventoryMirror } from '@weir/inventory';
import { ensureTopology } from '@weir/messaging';
import { destinationAad, Sealer } from '@weir/service-kit';
import { basic, loseInventory, patientJetStream, patientManager, uniqueName, until } from '@weir/testing';
import { BucketRecords, InventoryBucket } from '../src/inventory/bucket.js';
import { InventoryRelay } from '../src/inventory/inventory.relay.js';
import { clientOf, newWorkspace } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';
import { webhookDefinition } from './webhook-definition.js';

const key = Buffer.alloc(32, 7).toString('base64');
const gateway = useGateway({ WEIR_ENCRYPTION_KEY: key });
useStub(gateway.nats, ListDefinitions, () => ({ definitions: [webhookDefinition] }));

/** The bucket as a deliverer sees it. */
let mirror: InventoryMirror;
beforeAll(async () => {
  mirror = new InventoryMirror(gateway.nats.connection, { warn: () => {} });
  await mirror.start();
});
afterAll(() => mirror?.stop());

const config = { webhookUrl: 'https://example.com/hook' };

async function created(kind: 'source' | 'destination' | 'connection', body: object) {
  const answer = await clientOf(gateway).post(`/v2/${kind}s`, body);
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body[kind];
}
const newSource = () => created('source', { name: uniqueName('source'), type: 'HTTP' });
const newDestination = () => created('destination', { name: uniqueName('hook'), type: 'WEBHOOK', config });

describe('the bucket has', () => {
  it('every object when its change is answered', async () => {
    const [source, destination] = [await newSource(), await newDestination()];
    const connection = await created('connection', { sourceId: source.id, destinationId: destination.id });
    const { id, name, type, writeKey, enabled, workspaceId } = source;
    const bucket = await new Kvm(patientJetStream(gateway.nats.connection)).open(INVENTORY_BUCKET);
    const entry = await bucket.get(inventoryKey('source', id));
    expect(entry?.json()).toEqual({ id, name, type, writeKey, enabled, workspaceId, partitions: 1 });
    await until('the mirror to have all', () => mirror.connectionsOf(id).length === 1);
    expect(mirror.sourceByWriteKey(writeKey)?.id).toBe(id);
    expect(mirror.connectionsOf(id)[0]).toMatchObject({ id: connection.id, enabled: true });
    const record = mirror.destination(destination.id);
    expect(new Sealer(key).open(record?.sealedConfig ?? '', destinationAad(destination))).toEqual(config);
  });

  it('an incomplete destination as a disabled one, so that nothing is delivered to it', async () => {
    const body = { name: uniqueName('hook'), type: 'WEBHOOK', config: {} };
    const { id } = await created('destination', body);
    const enabledIs = (enabled: boolean) => () => mirror.destination(id)?.enabled === enabled;
    await until('the destination to be off', enabledIs(false));
    expect((await clientOf(gateway).put(`/v2/destinations/${id}`, { config })).status).toBe(200);
    await until('the destination to be on', enabledIs(true));
  });

  it('the latest of many changes at once', async () => {
    const { id, ...source } = await newSource();
    const client = clientOf(gateway);
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, round) => client.put(`/v2/sources/${id}`, { ...source, config: { round } })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await client.put(`/v2/sources/${id}`, { ...source, enabled: false });
    await until('the last change', () => mirror.source(id)?.enabled === false);
  });

  it('the latest, although an earlier write was held up on its way', async () => {
    const { id, ...source } = await newSource();
    const stream = patientJetStream(gateway.nats.connection);
    const subject = `$KV.${INVENTORY_BUCKET}.${inventoryKey('source', id)}`;
    const own = gateway.app.get(InventoryMirror, { strict: false });
    const revision = own.revisionOf({ objectType: 'source', id });
    const late = gateway.app.get(InventoryBucket, { strict: false });
    await clientOf(gateway).put(`/v2/sources/${id}`, { ...source, enabled: false });
    const record = { ...mirror.source(id), enabled: true } as SourceRecord;
    expect(await late.write({ kind: 'source', id }, record, revision)).toBe(false);
    await clientOf(gateway).delete(`/v2/sources/${id}`);
    expect(await late.write({ kind: 'source', id }, record, own.revisionOf({ objectType: 'source', id }) - 1)).toBe(
      false,
    );
    // A write of another process makes the gateway take its own revision anew.
    const other = await newSource();
    await stream.publish(subject.replace(id, other.id), JSON.stringify({ ...other, enabled: true }));
    expect((await clientOf(gateway).put(`/v2/sources/${other.id}`, { ...other, enabled: false })).status).toBe(200);
    await until('the last change', () => mirror.source(other.id)?.enabled === false);
  });

  it('nothing of what was deleted', async () => {
    const [source, destination] = [await newSource(), await newDestination()];
    await created('connection', { sourceId: source.id, destinationId: destination.id });
    await until('the connection', () => mirror.connectionsOf(source.id).length === 1);
    await clientOf(gateway).delete(`/v2/sources/${source.id}`);
    await until('the source to go', () => !mirror.source(source.id) && mirror.connectionsOf(source.id).length === 0);
    expect(mirror.sourceByWriteKey(source.writeKey)).toBeUndefined();
  });
});

describe('a start', () => {
  /** Repeats the reconciliation that a gateway does before it listens. */
  async function reconcile(): Promise<void> {
    const { dataSource } = gateway.database;
    const bucket = gateway.app.get(InventoryBucket, { strict: false });
    const relay = new InventoryRelay(dataSource, new BucketRecords(dataSource), bucket, mirror);
    await relay.onApplicationBootstrap();
    await relay.flush();
    await relay.beforeApplicationShutdown();
  }

  it('writes anew what the bucket lost, and removes what nobody knows', async () => {
    const source = await newSource();
    const bucket = await new Kvm(patientJetStream(gateway.nats.connection)).open(INVENTORY_BUCKET);
    const lost = inventoryKey('source', source.id);
    const stray = inventoryKey('connection', '0ujtsYcgvSTl8PAuAdqWYSMnLOv');
    await bucket.purge(lost);
    await bucket.put(stray, '{}');
    await reconcile();
    expect((await bucket.get(lost))?.json()).toMatchObject({ id: source.id });
    expect((await bucket.get(stray))?.operation).toBe('DEL');
  });

  it('writes anew what workspaces allow beyond the default, and nothing of the others', async () => {
    const [{ id }, other] = [await newWorkspace(gateway), await newWorkspace(gateway)];
    await clientOf(gateway, 'admin').patch(`/admin/workspaces/${id}`, { allowFetch: true });
    const bucket = await new Kvm(patientJetStream(gateway.nats.connection)).open(INVENTORY_BUCKET);
    const [lost, stray] = [id, other.id].map((one) => inventoryKey('workspace', one)) as [string, string];
    await bucket.purge(lost);
    await bucket.put(stray, JSON.stringify({ id: other.id, allowFetch: true }));
    await reconcile();
    expect((await bucket.get(lost))?.json()).toEqual({ id, allowFetch: true });
    expect((await bucket.get(stray))?.operation).toBe('DEL');
  });
});

describe('while it runs, a gateway writes anew', () => {
  const send = (writeKey: string) =>
    fetch(`${gateway.url}/v1/track`, {
      method: 'POST',
      headers: { authorization: basic(writeKey, ''), 'content-type': 'application/json' },
      body: JSON.stringify({ userId: 'u', event: 'Seen' }),
    });

  it('a bucket that was made anew, and takes the events of known sources meanwhile', async () => {
    const source = await newSource();
    const { bucket } = mirror;
    await loseInventory(gateway.nats.connection);
    expect((await send(source.writeKey)).status).toBe(200);
    await until('the next bucket', () => mirror.bucket !== bucket && mirror.whyIncomplete === undefined);
    expect(mirror.source(source.id)?.writeKey).toBe(source.writeKey);
  });

  it('a bucket that was purged', async () => {
    const { id } = await newSource();
    const { streams } = await patientManager(gateway.nats.connection);
    await streams.purge(`KV_${INVENTORY_BUCKET}`);
    const late = await until('a process that starts then', async () => {
      const made = new InventoryMirror(gateway.nats.connection, { warn: () => {} });
      await made.start();
      made.stop();
      return made.whyIncomplete === undefined && made;
    });
    expect(late.source(id)?.id).toBe(id);
  });

  it('says 503 of a key that it does not know, as long as it may be known', async () => {
    const source = await newSource();
    const own = gateway.app.get(InventoryMirror, { strict: false });
    await gateway.remove('source', source.id);
    await until('the gateway to forget it', () => !own.source(source.id));
    const { streams } = await patientManager(gateway.nats.connection);
    await streams.delete(`KV_${INVENTORY_BUCKET}`);
    expect((await send(source.writeKey)).status).toBe(503);
    await ensureTopology(gateway.nats.connection);
    await until('the source', async () => (await send(source.writeKey)).status === 200);
  });
});

describe('without a broker', () => {
  it('a change is refused with 503, nothing is changed, and reading goes on', async () => {
    const source = await newSource();
    const client = clientOf(gateway);
    const body = { name: uniqueName('source'), type: 'HTTP' };
    await gateway.nats.hold();
    const refused = await client.post('/v2/sources', body);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(refused.body).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      message: expect.stringContaining('Nothing was changed'),
    });
    expect((await client.get(`/v2/sources/${source.id}`)).status).toBe(200);
    expect((await client.get('/readyz')).status).toBe(503);
    await gateway.nats.resume();
    const again = await until('the broker', async () => {
      const answer = await client.post('/v2/sources', body);
      return answer.status === 200 && answer;
    });
    expect(again.body.source.name).toBe(body.name);
  });

  it('a change that is already committed takes effect when the broker is back', async () => {
    const { id } = await newSource();
    const sql = "INSERT INTO outbox (topic, payload) VALUES ('inventory.changed', $1)";
    await gateway.nats.hold();
    await gateway.database.dataSource.run('UPDATE sources SET enabled = false WHERE id = $1', [id]);
    await gateway.database.dataSource.run(sql, [{ kind: 'source', id }]);
    await gateway.nats.resume();
    await until('the change', () => mirror.source(id)?.enabled === false);
  });
});
