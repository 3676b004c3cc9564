import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { FrameReader, frameOf } from './frames.js';

describe('frames', () => {
  const message = fc.record({
    head: fc.record({ text: fc.string({ unit: 'grapheme' }) }),
    body: fc.array(fc.uint8Array()),
  });

  it('come out as they went in, however the socket cuts them', () => {
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), fc.integer({ min: 1, max: 40 }), (messages, cut) => {
        const got: unknown[] = [];
        const reader = new FrameReader(1_000, (head, body) => got.push([head, body.toString('hex')]));
        const stream = Buffer.concat(
          messages.map(({ head, body }) =>
            frameOf(
              head,
              body.map((part) => Buffer.from(part)),
            ),
          ),
        );
        for (let at = 0; at < stream.length; at += cut) reader.push(stream.subarray(at, at + cut));
        expect(got).toEqual(messages.map(({ head, body }) => [head, Buffer.concat(body).toString('hex')]));
      }),
    );
  });

  it('that are too large are refused before they are there', () => {
    const reader = new FrameReader(100, () => undefined);
    expect(() => reader.push(frameOf({}, [Buffer.alloc(200)]).subarray(0, 8))).toThrow(RangeError);
  });

  it('with a head that is no JSON are refused', () => {
    const frame = frameOf({ a: 1 });
    frame.write('x', 8);
    expect(() => new FrameReader(100, () => undefined).push(frame)).toThrow(SyntaxError);
  });
});
