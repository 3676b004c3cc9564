import { describe, expect, it } from '@jest/globals';
import { maskerOf } from './mask.js';

describe('masking', () => {
  const mask = maskerOf([{ value: 'hunter2' }, { value: 'hunter2-and-more' }, { value: 'abc' }, { value: '' }]);

  it('hides values wherever they stand, longer ones first, and not those too short to be secret', () => {
    expect(mask('a=hunter2-and-more b=hunter2hunter2 abc')).toBe('a=*** b=****** abc');
  });
});
