import { describe, expect, it } from '@jest/globals';
import { withoutCredentials } from './guest/mask.js';
import { secretsOf } from './mask.js';

const masked = (text: string, credentials: { value: string }[]) => withoutCredentials(text, secretsOf(credentials));

describe('masking', () => {
  const credentials = [{ value: 'hunter2' }, { value: 'hunter2-and-more' }, { value: 'abc' }, { value: '' }];

  it('masks values anywhere, longer ones first, and leaves those that are too short to be secret', () => {
    expect(masked('a=hunter2-and-more b=hunter2hunter2 abc', credentials)).toBe('a=*** b=****** abc');
  });

  it.each([
    ['in JSON', (value: string) => JSON.stringify({ value }), '{"value":"***"}'],
    ['in JSON within JSON', (value: string) => JSON.stringify([JSON.stringify([value])]), '["[\\"***\\"]"]'],
    [
      'in an address',
      (value: string) => `https://a/?k=${encodeURIComponent(value.toWellFormed())}&b`,
      'https://a/?k=***&b',
    ],
    ['in a form', (value: string) => String(new URLSearchParams({ value })), 'value=***'],
  ])('masks a key with line breaks, quotes and blanks %s', (_where, textWith, shown) => {
    const value = '-- BEGIN --\na"b\\c\ud800\n-- END --';
    expect(masked(textWith(value), [{ value }])).toBe(shown);
  });

  it('leaves other text unchanged', () => {
    expect(masked('hunter', credentials)).toBe('hunter');
  });
});
