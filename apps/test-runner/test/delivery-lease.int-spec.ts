import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { jetstream } from '@nats-io/jetstream';
import { deliverySubject } from '@weir/contracts';
import { Lease, LeaseLostError, RpcClient } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { eventBatch, trackEvent, until, useDatabase, useNats } from '@weir/testing';
import type { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.js';
import type { DeliveryOutcomes } from '../src/deliveries/delivery-outcomes.js';
import { DeliveryProgress } from '../src/deliveries/delivery-progress.js';
import { DeliveryPull } from '../src/deliveries/delivery-pull.js';
import { DeliveryQueues } from '../src/deliveries/delivery-queues.js';
import type { DeliveryShares } from '../src/deliveries/delivery-shares.js';
import { Overflow } from '../src/deliveries/overflow.js';
import { SuppressionCheck } from '../src/deliveries/suppression-check.js';
import { migrations } from '../src/migrations/index.js';
import { StandIns } from './stand-ins.js';

const database = useDatabase('runner', migrations);
const nats = useNats();
const stops: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const HOUR_MS = 3_600_000;
/** The lease of a process that was paused, or was not. */
const leaseFor = (heldMs: number) => new Lease({ slot: 0, epoch: 1 }, performance.now() + heldMs, async () => 2);
const owner = () => ({ workspaceId: newKsuid(), destinationId: newKsuid() });

describe('a delivery under a lease that is not known to be held', () => {
  it('is not taken from the queue, until the lease is known to be held again', async () => {
    const ids = owner();
    const arrived: boolean[] = [];
    let isHeld = true;
    const lease = leaseFor(HOUR_MS);
    const stopping = new AbortController();
    const pull = new DeliveryPull(
      ids,
      {
        queues: new DeliveryQueues(nats.connection),
        shares: { floor: () => undefined } as unknown as DeliveryShares,
        progress: new DeliveryProgress(database.dataSource),
      },
      {
        lease,
        signal: stopping.signal,
        landing: { arrive: () => void arrived.push(isHeld), isBehind: () => false, drop: () => undefined },
      },
    );
    const running = pull.run();
    stops.push(async () => {
      stopping.abort();
      await running;
    });
    const publish = () => jetstream(nats.connection).publish(deliverySubject(ids.destinationId), '{}');
    await publish();
    await until('a pull that is open', () => arrived.length === 1);
    isHeld = false;
    lease.extend(performance.now());
    await publish();
    await delay(500);
    isHeld = true;
    lease.extend(performance.now() + HOUR_MS);
    await until('the second one', () => arrived.length > 1);
    expect(arrived).toEqual([true, true]);
  });

  it('that has no room becomes no dead letter: the next owner may have room', async () => {
    const standIns = new StandIns(nats.connection);
    stops.push(() => standIns.stop());
    const letters: object[] = [];
    const overflow = new Overflow(
      new SuppressionCheck(new RpcClient(nats.connection)),
      { add: async (letter: object) => void letters.push(letter) } as unknown as DeadLetterWriter,
      { count: () => undefined } as unknown as DeliveryOutcomes,
    );
    const { batchId, sourceId, receivedAt, events } = eventBatch({ events: [trackEvent({ userId: 'ada' })] });
    const bury = (lease: Lease) => overflow.bury(owner(), [{ batchId, sourceId, receivedAt, events }], lease);
    await expect(bury(leaseFor(0))).rejects.toThrow(LeaseLostError);
    expect(letters).toEqual([]);
    await bury(leaseFor(HOUR_MS));
    expect(letters).toHaveLength(1);
  });
});
