import { describe, expect, it } from '@jest/globals';
import { checkedHeaders, HEADER_BYTES_MAX, HEADERS_MAX } from './request.js';

const refusal = { code: 'invalid_header' };

describe('checkedHeaders', () => {
  it('keeps what a destination asks for', () => {
    const headers = {
      Authorization: 'Bearer abc',
      'x-custom_1': ' café\t',
      'content-type': 'application/json',
      empty: '',
    };
    expect(checkedHeaders(headers)).toEqual({ ...headers, 'x-custom_1': 'café' });
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'CONNECTION',
    'keep-alive',
    'upgrade',
    'te',
    'trailer',
    'expect',
    'Proxy-Authorization',
    'proxy-anything',
    'X-Forwarded-For',
    'x-forwarded-host',
    'forwarded',
    'via',
  ])('refuses to set %s', (name) => {
    expect(() => checkedHeaders({ [name]: 'x' })).toThrow(expect.objectContaining(refusal));
  });

  it.each(['', 'a b', 'a:b', 'a\r\n', 'a\0', 'ä', '(a)', 'host '])('refuses the name %j', (name) => {
    expect(() => checkedHeaders({ [name]: 'x' })).toThrow(expect.objectContaining(refusal));
  });

  it.each(['a\rb', 'a\nb', 'a\r\nHost: evil', 'a\0b', 'a\x1bb', '\u010d\u010a', '\u{1f600}'])(
    'refuses the value %j',
    (value) => {
      expect(() => checkedHeaders({ 'x-a': value })).toThrow(expect.objectContaining(refusal));
    },
  );

  it('refuses values that are not text, without showing them', () => {
    const headers = { 'x-a': 12 as unknown as string };
    expect(() => checkedHeaders(headers)).toThrow(expect.objectContaining(refusal));
  });

  it('bounds number and size', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x-${i}`, 'v']));
    expect(Object.keys(checkedHeaders(many(HEADERS_MAX)))).toHaveLength(HEADERS_MAX);
    expect(() => checkedHeaders(many(HEADERS_MAX + 1))).toThrow(expect.objectContaining(refusal));
    expect(() => checkedHeaders({ 'x-a': 'v'.repeat(HEADER_BYTES_MAX - 3) })).not.toThrow();
    expect(() => checkedHeaders({ 'x-a': 'v'.repeat(HEADER_BYTES_MAX - 2) })).toThrow(expect.objectContaining(refusal));
  });
});
