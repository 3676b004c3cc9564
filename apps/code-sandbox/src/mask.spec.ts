import { describe, expect, it } from '@jest/globals';
import { textWithoutCredentials } from './mask.js';

describe('masking', () => {
  const credentials = [{ value: 'hunter2' }, { value: 'hunter2-and-more' }, { value: 'abc' }, { value: '' }];

  it('masks values anywhere, longer ones first, and leaves those that are too short to be secret', () => {
    expect(textWithoutCredentials('a=hunter2-and-more b=hunter2hunter2 abc', credentials)).toBe('a=*** b=****** abc');
  });

  it('leaves other text unchanged', () => {
    expect(textWithoutCredentials('hunter', credentials)).toBe('hunter');
  });
});
