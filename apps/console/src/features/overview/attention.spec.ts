import { expect, it } from '@jest/globals';
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
  } as unknown as Facts;
  expect(attentionOf(facts).map(({ tone, subject }) => `${tone} ${subject}`)).toEqual([
    'bad CRM',
    'bad Mask',
    'warn Mail',
    'neutral Lonely',
  ]);
});

it('calls no source unconnected while its connections are unknown', () => {
  const sources = [{ id: 's1', name: 'Web shop' }];
  const facts = { sources, connections: undefined, destinations: [], counters: [], transformations: [] };
  expect(attentionOf(facts as unknown as Facts)).toEqual([]);
});
