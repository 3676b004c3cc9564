import { describe, expect, it, jest } from '@jest/globals';
import { StreamPublisher } from '@weir/messaging';
import { type RecordingServer, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { WRITING_BYTES_MAX } from '../src/queues/queue-writer.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();

let scene: DeliveryScene;
let server: RecordingServer;
eachTestOn(database, nats, (stage) => ({ scene, server } = stage));

/** Together they write more than twice as much as one process may at a time. */
const DESTINATIONS = 14;
const EVENT_BYTES = 700_000;
/** Long enough that writes without a limit come together. */
const WRITE_MS = 200;

describe('events of many destinations that go down together', () => {
  it('are written to the queues a few at a time', async () => {
    let [open, most] = [0, 0];
    const publishText = StreamPublisher.prototype.publishText;
    jest.spyOn(StreamPublisher.prototype, 'publishText').mockImplementation(async function (
      this: StreamPublisher,
      subject,
      text,
      options,
    ) {
      open += text.length;
      most = Math.max(most, open);
      await new Promise((resolve) => setTimeout(resolve, WRITE_MS));
      return publishText.call(this, subject, text, options).finally(() => {
        open -= text.length;
      });
    });
    server.answer({ status: 503 });
    const hooks = Array.from({ length: DESTINATIONS }, () => scene.webhook(`${server.url}/hook`));
    const ids = (await Promise.all(hooks)).map(({ id }) => id);
    await scene.startDeliverer();
    await scene.accept([trackEvent({ userId: 'u1', properties: { text: 'x'.repeat(EVENT_BYTES) } })]);
    await until('all queues to have it', async () => {
      const waiting = await Promise.all(ids.map((id) => scene.queued(id)));
      return waiting.every((messages) => messages === 1);
    });
    expect(most).toBeGreaterThan(EVENT_BYTES);
    expect(most).toBeLessThanOrEqual(WRITING_BYTES_MAX);
  });
});
