import { expect, it } from '@jest/globals';
import type { NatsConnection } from '@nats-io/transport-node';
import type { SuppressedEvents } from '@weir/contracts';
import { eventBatch } from '@weir/testing';
import { LISTED_MAX, SuppressedTeller } from './suppressed-teller.js';

const MESSAGE_BYTES_MAX = 1_048_576;

/** A connection that refuses large messages, as brokers do. */
function connection() {
  const told: SuppressedEvents[] = [];
  const publish = (_subject: string, text: string) => {
    if (Buffer.byteLength(text) > MESSAGE_BYTES_MAX) throw new Error('maximum payload exceeded');
    told.push(JSON.parse(text));
  };
  return { told, nats: { publish, isClosed: () => false } as unknown as NatsConnection };
}

it('tells of all workspaces, however long the texts of one are as JSON', async () => {
  const { told, nats } = connection();
  const teller = new SuppressedTeller(nats);
  const hostile = { messageId: '€'.repeat(256), type: '\u0001'.repeat(256) };
  teller.onApplicationBootstrap();
  teller.tell(eventBatch({ workspaceId: 'hostile' }), Array(LISTED_MAX).fill(hostile));
  teller.tell(eventBatch({ workspaceId: 'other' }), [{ messageId: 'm', type: 'track' }]);
  await teller.onModuleDestroy();
  expect(told.map(({ workspaceId }) => workspaceId)).toEqual(['hostile', 'other']);
  expect(told[0]?.counts).toMatchObject([{ events: LISTED_MAX }]);
  expect(told[0]?.events.length).toBeGreaterThan(50);
});
