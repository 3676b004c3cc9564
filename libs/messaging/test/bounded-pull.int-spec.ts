import { describe, expect, it } from '@jest/globals';
import { AckPolicy } from '@nats-io/jetstream';
import { patientJetStream, patientManager, useNats } from '@weir/testing';
import { EVENTS_ACCEPTED, type PulledMessage, pullOnce } from '../src/index.js';
import { until } from './fixtures.js';

const nats = useNats();
/** Long, so that only the deletion of its consumer ends a pull. */
const AN_HOUR_MS = 3_600_000;
const durable = 'bounded-pull';

function pull(expiresMs: number, onMessage: (message: PulledMessage) => void = () => undefined) {
  const bounds = { messagesMax: 1, bytesMax: 1_000_000, expiresMs };
  const { signal } = new AbortController();
  return pullOnce({
    nats: nats.connection,
    stream: EVENTS_ACCEPTED,
    durable,
    ...bounds,
    onMessage,
    signal,
  });
}

describe('a pull', () => {
  it('ends when there is nothing, and fails when its consumer is deleted, before it or meanwhile', async () => {
    const { consumers } = await patientManager(nats.connection);
    await consumers.add(EVENTS_ACCEPTED, { durable_name: durable, ack_policy: AckPolicy.Explicit });
    await expect(pull(200)).resolves.toBeUndefined();
    const waiting = pull(AN_HOUR_MS);
    // Otherwise the broker may delete the consumer first, and then it says nothing.
    await until(async () => (await consumers.info(EVENTS_ACCEPTED, durable)).num_waiting === 1);
    const [outcome] = await Promise.allSettled([waiting, consumers.delete(EVENTS_ACCEPTED, durable)]);
    expect(outcome.status).toBe('rejected');
    await expect(pull(200)).rejects.toThrow(/broker/); // it may say nothing about a consumer that is gone
  });

  it('brings messages that keep no more than their own bytes in memory', async () => {
    const { consumers } = await patientManager(nats.connection);
    await consumers.add(EVENTS_ACCEPTED, { durable_name: durable, ack_policy: AckPolicy.Explicit });
    // Larger than what a socket brings at once, which the client gathers in a buffer that doubles.
    const text = JSON.stringify({ text: 'x'.repeat(300_000) });
    await patientJetStream(nats.connection).publish('events.accepted.0.workspace.source', text);
    let pulled: PulledMessage | undefined;
    await pull(AN_HOUR_MS, (message) => {
      pulled = message;
    });
    expect(pulled?.string()).toBe(text);
    expect(pulled?.data.buffer.byteLength).toBe(text.length);
  });
});
