import { describe, expect, it } from '@jest/globals';
import { attentionOf } from './attention.js';

type Facts = Parameters<typeof attentionOf>[0];

it('says what needs a person, the worst first', () => {
  const facts = {
    sources: [{ id: 's1', name: 'Lonely' }],
    connections: [],
    destinations: [
      { id: 'd1', name: 'CRM', status: 'ready' },
      { id: 'd2', name: 'Mail', status: 'incomplete', missing: ['apiKey'] },
    ],
    counters: [
      { destinationId: 'd1', dead: 2, inRetry: 1 },
      { destinationId: 'gone', dead: 9, inRetry: 0 },
    ],
    transformations: [
      { id: 't1', name: 'Mask', rolledBack: { to: 'v1' } },
      { id: 't2', name: 'Fine' },
    ],
    processes: [
      { name: 'delivery-service.main', instances: [{ ready: true, reasons: [] }] },
      { name: 'code-sandbox.main', instances: [] },
      { name: 'gateway.main', instances: [{ ready: true }, { ready: false }] },
    ],
    troubles: [
      { id: '1', kind: 'source_silent', resourceId: 's1' },
      { id: '2', kind: 'deletion_overdue', resourceId: 'd1', count: 2 },
      { id: '3', kind: 'deletion_overdue', resourceId: 'd2', count: 1, resolvedAt: '2026-01-01T00:00:00.000Z' },
      { id: '4', kind: 'dead_letters', resourceId: 'd1', count: 2 },
    ],
    deletions: { failed: { rows: 3, isMore: false }, aborted: { rows: 50, isMore: true } },
  } as unknown as Facts;
  expect(attentionOf(facts).map(({ tone, subject }) => `${tone} ${subject}`)).toEqual([
    'bad CRM',
    'bad Mask',
    'bad Privacy',
    'bad Privacy',
    'bad CRM',
    'bad code-sandbox.main',
    'warn gateway.main',
    'warn Lonely',
    'warn Mail',
    'neutral Lonely',
  ]);
});

it('calls no source unconnected while its connections are unknown', () => {
  const sources = [{ id: 's1', name: 'Web shop' }];
  const facts = {
    sources,
    connections: undefined,
    destinations: [],
    counters: [],
    transformations: [],
    processes: [],
    troubles: [],
    deletions: {},
  };
  expect(attentionOf(facts as unknown as Facts)).toEqual([]);
});

describe('deletions', () => {
  const told = (counts: object) => {
    const none = { sources: [], destinations: [], counters: [], transformations: [], processes: [], troubles: [] };
    const facts = { ...none, connections: undefined, deletions: counts };
    return attentionOf(facts as unknown as Facts).map(({ tone, sentence, status }) => [tone, status, sentence]);
  };

  it('that were given up are told beside those that will be tried again', () => {
    const two = { rows: 2, isMore: false };
    expect(told({ failed: { rows: 1, isMore: false }, aborted: { rows: 50, isMore: true }, partial: two })).toEqual([
      ['bad', 'failed', '1 deletion failed and will be tried again: a destination still holds the data'],
      ['bad', 'partial', '2 deletions ended in part: a destination still holds the data'],
      ['bad', 'aborted', '50 or more deletions failed for good: a destination still holds the data'],
    ]);
  });

  it('that nobody looked through are not called fine', () => {
    const notFound = { rows: 0, isMore: true };
    expect(told({ failed: notFound, aborted: { rows: 0, isMore: false } })).toEqual([
      [
        'neutral',
        'failed',
        'Only the newest regulations were searched for deletions that failed and will be tried again',
      ],
    ]);
    expect(told({})).toEqual([]);
  });
});
