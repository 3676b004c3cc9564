import { describe, expect, it } from '@jest/globals';
import { parseCidrs } from './cidrs.js';

describe('parseCidrs', () => {
  it.each([
    ['', []],
    [' , ', []],
    ['127.0.0.0/8', ['127.0.0.0/8']],
    ['127.0.0.0/8, fd00::/8 ,10.1.2.3,', ['127.0.0.0/8', 'fd00::/8', '10.1.2.3']],
    ['0.0.0.0/0', ['0.0.0.0/0']],
  ])('reads %j', (text, cidrs) => expect(parseCidrs(text)).toEqual(cidrs));

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0/8',
    'localhost',
    '10.0.0.0/8/8',
    'fd00::/129',
    '::ffff:10.0.0.0/104',
  ])('refuses %j by name', (text) =>
    expect(() => parseCidrs(`127.0.0.0/8,${text}`)).toThrow(`"${text}" is not an address range`),
  );
});
