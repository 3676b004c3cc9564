import { describe, expect, it } from '@jest/globals';
import { judge, type SentEvent } from './history.js';

const event = (id: string, sentAt: number, takenAt: number, user = 'ada'): SentEvent => ({ id, user, sentAt, takenAt });

describe('judge', () => {
  const one = event('one', 0, 10);
  const two = event('two', 11, 20);

  it('finds nothing wrong with events in order, however often each arrives', () => {
    expect(judge([one, two], ['one', 'one', 'two', 'one'])).toEqual({ lost: [], overtaken: [], repeated: 2 });
  });

  it('names an event whose first delivery came after a later one, and what overtook it', () => {
    expect(judge([one, two], ['two', 'one']).overtaken).toEqual([{ early: two, late: one }]);
  });

  it('asks for no order of attempts that overlapped, because the intake was free to take either first', () => {
    expect(judge([one, event('two', 9, 20)], ['two', 'one']).overtaken).toEqual([]);
  });

  it('asks for no order across users', () => {
    expect(judge([one, event('two', 11, 20, 'bob')], ['two', 'one']).overtaken).toEqual([]);
  });

  it('names what never arrived, and does not call it overtaken', () => {
    expect(judge([one, two], ['two'])).toEqual({ lost: ['one'], overtaken: [], repeated: 0 });
  });
});
