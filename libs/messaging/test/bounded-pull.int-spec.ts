import { describe, expect, it } from '@jest/globals';
import { AckPolicy, jetstreamManager } from '@nats-io/jetstream';
import { useNats } from '@weir/testing';
import { EVENTS_ACCEPTED, pullOnce } from '../src/index.js';

const nats = useNats();
const EXPIRES_MS = 200;
const durable = 'bounded-pull';

function pull() {
  const bounds = { messagesMax: 1, bytesMax: 1_000_000, expiresMs: EXPIRES_MS };
  const { signal } = new AbortController();
  return pullOnce({
    nats: nats.connection,
    stream: EVENTS_ACCEPTED,
    durable,
    ...bounds,
    onMessage: () => undefined,
    signal,
  });
}

describe('a pull', () => {
  it('ends when there is nothing, and fails when its consumer is deleted, before it or meanwhile', async () => {
    const { consumers } = await jetstreamManager(nats.connection);
    await consumers.add(EVENTS_ACCEPTED, { durable_name: durable, ack_policy: AckPolicy.Explicit });
    await expect(pull()).resolves.toBeUndefined();
    const waiting = pull();
    const [outcome] = await Promise.allSettled([waiting, consumers.delete(EVENTS_ACCEPTED, durable)]);
    expect(outcome.status).toBe('rejected');
    await expect(pull()).rejects.toThrow(/broker/);
  });
});
