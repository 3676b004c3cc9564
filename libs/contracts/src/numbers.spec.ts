import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { normalizeUserId } from './events.js';
import { isKept, withIdsAsWritten, writtenForms } from './numbers.js';

/** Parses an event with this JSON as its user id, and returns the user id that regulations compare. */
const idOf = (written: string) => normalizeUserId(JSON.parse(withIdsAsWritten(`{"userId":${written}}`)).userId);

describe('a numeric id', () => {
  it.each([
    ['123', '123'],
    ['123.0', '123'],
    ['1e2', '100'],
    ['-0', '0'],
    ['1.50', '1.5'],
    ['999999999999999', '999999999999999'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740993', '9007199254740993'],
    ['12345678901234567890', '12345678901234567890'],
    ['-12345678901234567890', '-12345678901234567890'],
    ['18446744073709551616', '18446744073709551616'],
    ['1e20', '100000000000000000000'],
    ['1e400', '1e400'],
    ['1e999999999', '1e999999999'],
    ['0.1', '0.1'],
    ['1e21', '1e21'],
    ['1000000000000000000000', '1000000000000000000000'],
    ['0.0000001', '0.0000001'],
    ['0.1000000000000000055', '0.1000000000000000055'],
    [`1${'0'.repeat(300)}`, `1${'0'.repeat(300)}`],
  ])('that is written %s is compared as %s', (written, id) => expect(idOf(written)).toBe(id));

  it('of any number of digits is compared as it is written', () => {
    fc.assert(fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (id) => expect(idOf(`${id}`)).toBe(`${id}`)));
  });

  it('that a number keeps stays a number', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const json = JSON.stringify({ userId: value });
        fc.pre(!String(value).includes('e'));
        expect(withIdsAsWritten(json)).toBe(json);
      }),
    );
  });
});

describe('JSON with ids as written', () => {
  const big = '12345678901234567890';

  it('is the same but for those ids, wherever blanks are', () => {
    const json = `{ "userId" :\n ${big}, "previousId":${big},"amount":${big}, "anonymousId":7 }`;
    const expected = `{ "userId" :\n "${big}", "previousId":"${big}","amount":${big}, "anonymousId":7 }`;
    expect(withIdsAsWritten(json)).toBe(expected);
  });

  it('has them wherever in an event they stand', () => {
    const json = `{"userId":"u","context":{"traits":{"id":${big},"age":${big}}},"properties":{"list":[{"userId":${big}}]}}`;
    const expected = `{"userId":"u","context":{"traits":{"id":"${big}","age":${big}}},"properties":{"list":[{"userId":"${big}"}]}}`;
    expect(withIdsAsWritten(json)).toBe(expected);
  });

  it('is that of keys whose letters are escaped, too', () => {
    const json = `{"user\\u0049d":${big},"\\u0067roup\\u0049\\u0064":${big},"a":"\\\\u0049\\u0022\\u0049"}`;
    expect(JSON.parse(withIdsAsWritten(json))).toEqual({ userId: big, groupId: big, a: '\\u0049"I' });
  });

  it('leaves texts alone that look like JSON', () => {
    const json = JSON.stringify({
      note: `"userId":${big}`,
      [`a"userId`]: 1,
      [`b\\"userId`]: 2,
      deep: [`\\"userId":${big}`],
    });
    expect(withIdsAsWritten(json)).toBe(json);
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify({ value, quoted: JSON.stringify({ userId: value, [`${big}"userId`]: 1 }) });
        expect(JSON.parse(withIdsAsWritten(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('takes as long as the text is', () => {
    const escapes = `{"a":"${'\\u0061'.repeat(50_000)}"}`;
    expect(JSON.parse(withIdsAsWritten(escapes))).toEqual({ a: 'a'.repeat(50_000) });
    const hostile = `{"a":"${'"userId" '.replaceAll('"', '\\"').repeat(50_000)}","b":[${'"userId"   ,'.repeat(50_000)}1]}`;
    expect(withIdsAsWritten(hostile)).toBe(hostile);
    expect(isKept(`1e${'9'.repeat(100_000)}`)).toBe(false);
  });
});

it('an identifier is looked for as it is given, and as a number shows it', () => {
  expect(writtenForms('12345678901234567890')).toEqual(['12345678901234567890', '12345678901234567000']);
  expect(writtenForms('4930123')).toEqual(['4930123']);
  expect(writtenForms('ada@example.com')).toEqual(['ada@example.com']);
});
