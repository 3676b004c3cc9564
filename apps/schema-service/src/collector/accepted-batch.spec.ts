import { expect, it } from '@jest/globals';
import { readAcceptedBatch } from './accepted-batch.js';

const valid = {
  batchId: 'b1',
  workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  sourceId: '0ujzPyRiIAffKhBux4PvQdDqMHY',
  writeKey: 'wk',
  receivedAt: '2026-01-01T02:00:00+02:00',
  inventoryRevision: 3,
  events: [{ type: 'page' }],
};
const message = (json: unknown) => ({ json: () => json, epoch: 3 });

it('reads a batch, with its time in UTC', () => {
  expect(readAcceptedBatch(message(valid))).toEqual({ ...valid, receivedAt: '2026-01-01T00:00:00.000Z', epoch: 3 });
});

it.each([
  ['no events', { ...valid, events: [] }, 'events'],
  ['an event that is no object', { ...valid, events: [{}, 'text'] }, 'events.1'],
  ['no id', { ...valid, batchId: undefined }, 'batchId'],
  ['a time that is none', { ...valid, receivedAt: 'soon' }, 'receivedAt'],
  ['something else', null, 'body'],
])('says why %s cannot be read, and keeps it', (_, json, field) => {
  const read = readAcceptedBatch(message(json));
  expect(read).toEqual({ reason: expect.stringContaining(field), body: JSON.stringify(json) });
});

it('has no text of what is not JSON', () => {
  const broken = {
    epoch: 3,
    json: () => {
      throw new SyntaxError('Unexpected token');
    },
  };
  expect(readAcceptedBatch(broken)).toEqual({ reason: 'not JSON' });
});
