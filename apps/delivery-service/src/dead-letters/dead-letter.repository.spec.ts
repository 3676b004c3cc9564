import { expect, it } from '@jest/globals';
import { partOf } from '../../test/parts.js';
import { deadLetterOf } from './dead-letter.repository.js';

it('deadLetterOf keeps what a replay needs: name, output and the event as it was accepted', () => {
  const unit = { part: partOf([{ n: 0 }, { n: 1 }]), index: 1, output: 2, event: { changed: true } };
  const failure = { stage: 'delivery' as const, reason: 'gone', status: 410, attempts: 1 };
  expect(deadLetterOf(unit, failure)).toEqual({
    workspaceId: 'w1',
    destinationId: 'd1',
    sourceId: 's1',
    receivedAt: '2026-01-01T00:00:00.000Z',
    eventKey: 'b1.1',
    output: 2,
    event: { n: 1 },
    ...failure,
  });
});

it.each([
  ['the same event of the code', { output: 2 }, 2, true],
  ['the first event of code that failed before', {}, 0, true],
  ['an event that code failed with again', {}, undefined, true],
  ['an event that code fails with now', { output: 2 }, undefined, true],
  ['another event of the code', {}, 1, false],
])('deadLetterOf knows whether %s takes the place of the letter that was replayed', (_, of, output, isReturned) => {
  const replay = { eventKey: 'b1.0', wasLetter: true, ...of };
  const unit = {
    part: partOf([{}], { batchId: 'replay.7', replay }),
    index: 0,
    event: {},
    ...(output !== undefined && { output }),
  };
  const letter = deadLetterOf(unit, { stage: 'delivery', reason: 'gone', attempts: 1 });
  expect(letter.isReturned ?? false).toBe(isReturned);
});
