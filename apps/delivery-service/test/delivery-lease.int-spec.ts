import { afterEach, describe, expect, it } from '@jest/globals';
import { Lease, LeaseLostError } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { eventBatch, StandIns, trackEvent, until, useNats } from '@weir/testing';
import type { SuppressionCheck } from '../src/checks/suppression-check.js';
import type { DeadLetterWriter } from '../src/dead-letters/dead-letter-writer.js';
import type { Outcomes } from '../src/outcomes/outcomes.js';
import type { DeliveryContext } from '../src/sending/attempts.js';
import { Endings } from '../src/sending/endings.js';
import { Overflow } from '../src/sending/overflow.js';
import type { Traces } from '../src/traces/traces.js';
import { checkOn } from './check-fixtures.js';

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
  it('that has no room becomes no dead letter: the next owner may have room', async () => {
    const standIns = new StandIns(nats.connection);
    stops.push(() => standIns.stop());
    const letters: object[] = [];
    const writer = { add: async (letter: object) => void letters.push(letter) } as unknown as DeadLetterWriter;
    const outcomes = { count: () => undefined } as unknown as Outcomes;
    const traces = { buried: () => undefined } as unknown as Traces;
    const endings = new Endings(checkOn(nats.connection), writer, outcomes, traces);
    const overflow = new Overflow(endings, outcomes, traces);
    const { batchId, sourceId, receivedAt, events } = eventBatch({ events: [trackEvent({ userId: 'ada' })] });
    const bury = (lease: Lease) => overflow.bury(owner(), [{ batchId, sourceId, receivedAt, events }], lease);
    await expect(bury(leaseFor(0))).rejects.toThrow(LeaseLostError);
    expect(letters).toEqual([]);
    await bury(leaseFor(HOUR_MS));
    expect(letters).toHaveLength(1);
  });

  it('that fails for good becomes a dead letter only when the lease is known to be held again', async () => {
    const standIns = new StandIns(nats.connection);
    stops.push(() => standIns.stop());
    const letters: boolean[] = [];
    const lease = leaseFor(0);
    const suppression = checkOn(nats.connection);
    let checks = 0;
    const endings = new Endings(
      {
        isSuppressed: (user: never) => suppression.isSuppressed(user).finally(() => (checks += 1)),
      } as SuppressionCheck,
      { add: async () => void letters.push(lease.isHeld) } as unknown as DeadLetterWriter,
      { ended: () => undefined } as unknown as Outcomes,
      { buried: () => undefined } as unknown as Traces,
    );
    const part = { ...eventBatch({ events: [trackEvent({ userId: 'ada' })] }), ...owner() };
    const failure = { stage: 'delivery' as const, reason: 'refused', attempts: 1 };
    const context = { lease, signal: new AbortController().signal } as DeliveryContext;
    const buried = endings.bury({ part, index: 0, event: part.events[0] ?? {} }, failure, context);
    await until('a second try', () => checks > 1);
    lease.extend(performance.now() + HOUR_MS);
    await buried;
    expect(letters).toEqual([true]);
  });
});
