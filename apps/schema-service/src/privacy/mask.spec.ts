import { describe, expect, it } from '@jest/globals';
import { isPersonalText, maskedText } from './mask.js';

describe('personal data in a text', () => {
  it.each([
    ['write to grace@example.com, please.', 'write to ***, please.'],
    ['Grace <grace@example.com>: hello', 'Grace <***>: hello'],
    ['https://shop.example.com/?mail=grace%40example.com&page=2', 'https://shop.example.com/?mail=***&page=2'],
    ['call +49 30 1234-5678 today', 'call *** today'],
    ['call 0049 (30) 12345678', 'call ***'],
    ['paid with 4242 4242 4242 4242.', 'paid with ***.'],
    ['from 192.0.2.44 and 2001:db8::1', 'from *** and ***'],
    ['SSN 078-05-1120', 'SSN ***'],
    ['grace@example.com', '***'],
  ])('is masked: %s', (text, masked) => {
    expect(maskedText(text)).toBe(masked);
    expect(isPersonalText(text)).toBe(true);
  });

  it.each([
    '',
    'Order Completed',
    'order 1234567890123',
    'version 1.2.3',
    'at 2026-01-01T00:00:00.000Z',
    '12.5 of 1,000,000',
    '0ujzPyRiIAffKhBux4PvQdDqMHY',
    'meet @ noon',
    'https://example.com/a/b?c=d',
  ])('is not seen in %j', (text) => expect(maskedText(text)).toBe(text));
});
