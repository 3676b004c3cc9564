import { describe, expect, it } from '@jest/globals';
import type { DeletionStatus } from '@weir/contracts';
import { overallStatus } from './overall-status.js';

const of = (statuses: DeletionStatus[], internal: DeletionStatus = 'complete') =>
  overallStatus([
    ...statuses.map((status, n) => ({ destinationId: `d${n}`, status })),
    { destinationId: 'internal:schema', status: internal },
  ]);

describe('the overall status', () => {
  it.each<[string, DeletionStatus[], DeletionStatus]>([
    ['pending', ['pending', 'pending'], 'pending'],
    ['running', ['pending', 'complete'], 'pending'],
    ['running', ['running', 'failed'], 'complete'],
    ['running', ['failed', 'pending'], 'complete'],
    ['failed', ['failed', 'complete'], 'complete'],
    ['failed', ['failed', 'aborted'], 'complete'],
    ['complete', ['complete', 'complete'], 'complete'],
    ['complete', [], 'complete'],
    ['complete', ['complete', 'not_supported'], 'complete'],
    ['forwarded', ['forwarded', 'complete'], 'complete'],
    ['not_supported', ['not_supported'], 'complete'],
    ['running', ['not_supported'], 'running'],
    ['partial', ['aborted', 'complete'], 'complete'],
    ['partial', ['canceled', 'complete'], 'complete'],
    ['aborted', ['aborted', 'canceled'], 'canceled'],
    ['canceled', ['canceled', 'canceled'], 'canceled'],
    ['canceled', ['not_supported', 'canceled'], 'canceled'],
  ])('is %s for %j with the internal tasks %s', (expected, statuses, internal) => {
    expect(of(statuses, internal)).toBe(expected);
  });
});
