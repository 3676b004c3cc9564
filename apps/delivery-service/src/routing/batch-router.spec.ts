import { describe, expect, it } from '@jest/globals';
import type { InventoryMirror } from '@weir/inventory';
import type { Lease, StreamMessage } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { connectionRecord, destinationRecord, eventBatch } from '@weir/testing';
import type { DestinationWorkers } from '../sending/destination-workers.js';
import type { AcceptedPart } from '../sending/feed-options.js';
import type { Traces } from '../traces/traces.js';
import { BatchRouter } from './batch-router.js';

const [WIDE, NARROW] = [newKsuid(), newKsuid()];
const destinationsOf = (workspaceId: string, count: number) =>
  Array.from({ length: count }, () => destinationRecord({ id: newKsuid(), workspaceId, sealedConfig: '' }));
/** One source with hundreds of destinations, and one with a single one. Each is named like its workspace. */
const sources = new Map([
  [WIDE, destinationsOf(WIDE, 600)],
  [NARROW, destinationsOf(NARROW, 1)],
]);
const destinations = new Map([...sources.values()].flat().map((one) => [one.id, one]));

const inventory = {
  waitFor: async () => undefined,
  connectionsOf: (sourceId: string) =>
    (sources.get(sourceId) ?? []).map(({ id, workspaceId }) =>
      connectionRecord({ workspaceId, sourceId, destinationId: id }),
    ),
  destination: (id: string) => destinations.get(id),
} as unknown as InventoryMirror;

const TEN = Array.from({ length: 10 }, () => ({ type: 'track' }));

/** Feeds that take everything, and the ids of the batches that they took. */
function takingWorkers() {
  const taken: string[] = [];
  const feeds = new Map(
    [...destinations.keys()].map((id) => [id, { accept: (parts: AcceptedPart[]) => accept(parts) }]),
  );
  const accept = async (parts: AcceptedPart[]) => {
    for (const { part, taken: isTaken } of parts) {
      taken.push(part.batchId);
      isTaken();
    }
  };
  const feed = async (id: string) => feeds.get(id);
  return { taken, workers: { feed } as unknown as DestinationWorkers };
}

function message(batchId: string, sourceId: string, sequence: number): StreamMessage & { isKept: boolean } {
  const batch = eventBatch({ batchId, workspaceId: sourceId, sourceId, events: TEN });
  const subject = `events.accepted.0.${sourceId}.${sourceId}`;
  const read = { subject, sequence, position: 0, data: new Uint8Array(8), isKept: false, isDone: false };
  const keep = () => {
    kept.isKept = true;
  };
  const kept = { ...read, json: () => batch, keep, ack: keep } as unknown as StreamMessage & { isKept: boolean };
  return kept;
}

it('a batch that comes again while it is delivered is acknowledged by its latest copy', async () => {
  const settle: (() => void)[] = [];
  const accept = async (parts: AcceptedPart[]) => {
    for (const { taken, settled } of parts) {
      taken();
      settle.push(settled);
    }
  };
  const workers = { feed: async () => ({ accept }) } as unknown as DestinationWorkers;
  const router = new BatchRouter(inventory, workers, { accepted: () => 0 } as unknown as Traces);
  const lease = { slot: 0 } as Lease;
  const id = newKsuid();
  const acked: string[] = [];
  const copy = (name: string) => ({ ...message(id, NARROW, 1), ack: () => void acked.push(name) });
  await router.route([copy('of the former consumer')], lease);
  await router.route([copy('of the new one')], lease);
  expect(settle).toHaveLength(1);
  settle[0]?.();
  expect(acked).toEqual(['of the new one']);
});

describe('a source with hundreds of destinations', () => {
  it('gets as much of a call as it may, in order, and others go on in the same call', async () => {
    const { taken, workers } = takingWorkers();
    const traces = { accepted: () => 0 } as unknown as Traces;
    const router = new BatchRouter(inventory, workers, traces);
    const lease = { slot: 0 } as Lease;
    const ids = [newKsuid(), newKsuid(), newKsuid(), newKsuid()];
    const wide = ids.map((id, n) => message(id, WIDE, n + 1));
    const narrow = message(newKsuid(), NARROW, 9);
    await router.route([...wide, narrow], lease);
    expect([...wide, narrow].map(({ isKept }) => isKept)).toEqual([true, true, false, false, true]);
    await router.route(wide.slice(2), lease);
    expect([...new Set(taken)].filter((id) => ids.includes(id))).toEqual(ids);
    expect(taken).toHaveLength(4 * 600 + 1);
  });
});
