import { expect, it } from '@jest/globals';
import { groupsOf } from './failure-groups.js';

it('puts failures that differ in numbers only into one group, the largest first', () => {
  const failed = (reason: string, status: 'dead' | 'retrying' = 'dead') => ({
    reason,
    status,
    stage: 'delivery' as const,
    responseStatus: 422,
  });
  const groups = groupsOf([
    failed('other'),
    failed('row 17 of 4f2a91cc0e'),
    failed('row 18 of aa00bb11cc'),
    failed('other', 'retrying'),
  ]);
  expect(groups.map(({ reason, deliveries }) => [reason, deliveries.length])).toEqual([
    ['HTTP 422: row 17 of 4f2a91cc0e', 2],
    ['HTTP 422: other', 1],
    ['HTTP 422: other', 1],
  ]);
});
