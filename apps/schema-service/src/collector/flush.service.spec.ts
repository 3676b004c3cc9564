import { randomBytes } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { EventBatch } from '@weir/contracts';
import { Pepper } from '@weir/service-kit';
import { countTurns } from '@weir/testing';
import { UserKeys } from '../secrets/user-keys.js';
import { FlushService } from './flush.service.js';

const EVENTS = 60;
const PATHS = 1_000;

/** A batch in which every event has a shape of its own. */
const explosion = (): EventBatch => ({
  batchId: 'b',
  workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  sourceId: '0ujzPyRiIAffKhBux4PvQdDqMHY',
  writeKey: 'k',
  receivedAt: '2026-01-01T00:00:00.000Z',
  inventoryRevision: 0,
  events: Array.from({ length: EVENTS }, (_, event) => ({
    ...{ type: 'track', event: 'attack', userId: 'm' },
    properties: Object.fromEntries(Array.from({ length: PATHS }, (_, path) => [`key ${event} ${path}`, path])),
  })),
});

it('a batch of shapes that nobody has seen leaves the event loop to others in between', async () => {
  const nothing = undefined as never;
  const keys = new UserKeys(new Pepper(randomBytes(32).toString('base64')));
  const flushes = new FlushService(
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    nothing,
    keys,
  );
  const turns = countTurns();
  const { delta } = await flushes.prepare(() => [explosion()]).finally(turns.stop);
  expect(delta.models[0]?.versions.size).toBe(EVENTS);
  expect(turns.count).toBeGreaterThan(3);
});
