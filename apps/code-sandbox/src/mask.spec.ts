import { describe, expect, it } from '@jest/globals';
import { maskedText } from './mask.js';

describe('masking', () => {
  const credentials = [{ value: 'hunter2' }, { value: 'hunter2-and-more' }, { value: 'abc' }, { value: '' }];

  it('hides values wherever they stand, longer ones first, and not those too short to be secret', () => {
    expect(maskedText('a=hunter2-and-more b=hunter2hunter2 abc', credentials)).toBe('a=*** b=****** abc');
  });

  it('leaves what holds none as it is', () => {
    expect(maskedText('hunter', credentials)).toBe('hunter');
  });
});
