import { describe, expect, it } from '@jest/globals';
import { maskedReply, maskerOf } from './mask.js';

describe('masking', () => {
  const mask = maskerOf([{ value: 'hunter2' }, { value: 'hunter2-and-more' }, { value: 'abc' }, { value: '' }]);

  it('hides values wherever they stand, longer ones first, and not those too short to be secret', () => {
    expect(mask('a=hunter2-and-more b=hunter2hunter2 abc')).toBe('a=*** b=****** abc');
  });

  it('is for what people read, not for events', () => {
    const error = { message: 'Error: hunter2', frame: { file: 'code', line: 1, column: 2 } };
    const reply = maskedReply(
      {
        results: [
          { status: 'ok', outputs: [{ key: 'hunter2' }] },
          { status: 'error', error },
        ],
        logs: ['Log: hunter2'],
        strayErrors: [error],
        fetches: [{ method: 'GET', url: 'https://h/?k=hunter2', status: 200, milliseconds: 1 }],
      },
      mask,
    );
    expect(JSON.stringify(reply.results[0])).toContain('hunter2');
    expect(JSON.stringify({ ...reply, results: reply.results.slice(1) })).not.toContain('hunter2');
    expect(reply.strayErrors).toEqual([{ ...error, message: 'Error: ***' }]);
  });
});
