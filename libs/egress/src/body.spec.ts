import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { readBounded } from './body.js';

it.each(['identity', 'constructor', '__proto__', 'toString'])(
  'a body of the encoding %s is read as it came',
  async (encoding) => {
    const { body, truncated } = await readBounded(Readable.from([Buffer.from('hello')]), encoding, 100);
    expect([String(body), truncated]).toEqual(['hello', false]);
  },
);
