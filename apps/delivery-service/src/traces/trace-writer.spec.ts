import { expect, it } from '@jest/globals';
import { Metrics } from '@weir/service-kit';
import type { EventUsers, SuppressionCheck } from '../checks/suppression-check.js';
import type { TraceRepository, WrittenRow } from './trace.repository.js';
import type { TraceRow } from './trace-row.js';
import { TraceWriter } from './trace-writer.js';

const row = (messageKey: string): TraceRow => ({
  ...{ workspaceId: 'w', sourceId: 's', messageKey, receivedAt: '2026-01-01T00:00:00.000Z', share: 1 },
  step: { step: 'accepted', receivedAt: '2026-01-01T00:00:00.000Z', routes: [] },
});
const by = (userId: string): EventUsers => ({
  ...{ workspaceId: 'w', sourceId: 's', userIds: [userId], receivedAt: '2026-01-01T00:00:00.000Z' },
});

it('drops the step of a user who cannot be checked, and writes those of others', async () => {
  const written: string[] = [];
  const add = (rowsNow: () => WrittenRow[]) => {
    written.push(...rowsNow().map(({ messageKey }) => messageKey));
    return Promise.resolve([]);
  };
  const isSuppressed = ({ userIds }: EventUsers) =>
    userIds.includes('unknown') ? Promise.reject(new Error('no answer')) : Promise.resolve(false);
  const writer = new TraceWriter(
    { add } as unknown as TraceRepository,
    { isSuppressed } as unknown as SuppressionCheck,
    new Metrics('test'),
  );
  writer.add(row('1'), by('ada'));
  writer.add(row('2'), by('unknown'));
  writer.add(row('3'));
  writer.onApplicationBootstrap();
  await writer.onModuleDestroy();
  expect(written).toEqual(['1', '3']);
});
