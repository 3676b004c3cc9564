import { describe, expect, it } from '@jest/globals';
import { Timestamp } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { type RecordingServer, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import { UsedRevisionRepository } from '../src/code/used-revisions.js';
import { migrations } from '../src/migrations/index.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
let server: RecordingServer;

eachTestOn(database, nats, (stage) => {
  ({ scene, server } = stage);
});

describe('the version that a deliverer last used', () => {
  it('is written down for the destination, and follows what is live', async () => {
    const { id } = await scene.webhook(`${server.url}/hook`);
    const rows = new UsedRevisionRepository(database.dataSource);
    const used = async () => (await rows.list(scene.workspaceId, id)).map(({ versionId }) => versionId);
    await scene.startDeliverer();
    for (let n = 1; n <= 2; n += 1) {
      scene.standIns.publish(scene.workspaceId, id, (message) => ({ status: 'ok', outputs: [message] }));
      const live = scene.standIns.releases.get(id)?.versionId;
      await until('the version to be used', async () => {
        await scene.accept([trackEvent({ properties: { n } })]);
        return (await used())[0] === live;
      });
      const [entry, ...others] = await rows.list(scene.workspaceId, id);
      expect(others).toEqual([]);
      expect(entry?.deliverer).toMatch(/\/\d+$/);
      expect(Timestamp.safeParse(entry?.lastUsedAt).success).toBe(true);
    }
    expect(await rows.list(newKsuid(), id)).toEqual([]);
  });

  it('is forgotten after a day', async () => {
    const rows = new UsedRevisionRepository(database.dataSource);
    const used = { workspaceId: newKsuid(), destinationId: newKsuid(), versionId: newKsuid() };
    const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000);
    await rows.put('old/1', [{ ...used, lastUsedAt: hoursAgo(25) }]);
    await rows.put('new/1', [{ ...used, lastUsedAt: hoursAgo(23) }]);
    await rows.removeOld();
    const left = await rows.list(used.workspaceId, used.destinationId);
    expect(left.map(({ deliverer }) => deliverer)).toEqual(['new/1']);
  });
});
