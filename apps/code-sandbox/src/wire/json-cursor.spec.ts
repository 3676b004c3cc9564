import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonCursor } from './json-cursor.js';

const cursorAt = (text: string) => new JsonCursor(Buffer.from(text));

function passes(text: string): boolean {
  const cursor = cursorAt(text);
  try {
    cursor.skip();
    cursor.end();
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('JsonCursor', () => {
  it('passes over what JSON allows', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, 3), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(passes(text)).toBe(true);
        expect(cursorAt(text).value()).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes and refuses what JSON.parse takes and refuses', () => {
    const piece = fc.constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        '\\u00e9',
        '\\u12',
        '"a"',
        '1',
        '-',
        '0',
        '.5',
        'e3',
        ' ',
        '\n',
        '\t',
      ],
      ...['true', 'null', 'nul', '{}', '[]', '"a":', '\u0001', 'é', '"\ud83d\ude00"', '01', '1.', '\u00a0'],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        expect([pieces.join(''), passes(pieces.join(''))]).toEqual([pieces.join(''), parses(pieces.join(''))]);
      }),
      { numRuns: 5_000 },
    );
  });

  it.each(['{"a":1', '["', '"\\', '"\\u12', '[1 2]', '{"a" 1}', '{a:1}', '[1,]', '{"a":1,}', '', '1 1', '--1'])(
    'refuses %j',
    (text) => expect(passes(text)).toBe(false),
  );

  it('counts levels, a hundred thousand too', () => {
    expect(cursorAt('{"a":[{}],"b":1}').skip()).toBe(3);
    expect(cursorAt('7').skip()).toBe(0);
    expect(cursorAt(`${'['.repeat(100_000)}${']'.repeat(100_000)}`).skip()).toBe(100_000);
  });

  it.each([
    ['[]', 1],
    ['[{},{"a":[1]}]', 3],
  ])('passes over a list of objects: %s', (text, depth) => expect(cursorAt(text).skip(true)).toBe(depth));

  it.each(['[1]', '[{},[]]', '[{},null]'])('refuses what is no list of objects: %s', (text) =>
    expect(() => cursorAt(text).skip(true)).toThrow(SyntaxError),
  );

  it('tells fields and elements by their place', () => {
    const text = ' { "a" : [ 1 , {"b":"ü,]"} ] , "\\u0063": null } ';
    const seen: unknown[] = [];
    const cursor = cursorAt(text);
    for (const key of cursor.fields()) {
      if (key === 'a') for (const index of cursor.elements()) seen.push([index, cursor.value()]);
      else seen.push([key, cursor.value()]);
    }
    cursor.end();
    expect(seen).toEqual([
      [0, 1],
      [1, { b: 'ü,]' }],
      ['c', null],
    ]);
  });
});
