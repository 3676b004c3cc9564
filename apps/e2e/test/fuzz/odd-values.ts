/** 64 KiB: more than any name, and less than any body. */
const LONG = 'x'.repeat(65_536);
const NESTED = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner], 'deep');

/** Texts that no text column can store, an empty and a long one. Every place of every request gets all of these. */
export const ALWAYS = ['\0', 'a\0b', '\ud800', 'a\udc00', '', LONG];
/** The same for a path or a query. Halves of surrogate pairs appear in the UTF-8 form that they would have. */
export const ALWAYS_ENCODED = ['%00', 'a%00b', '%ED%A0%80', 'a%ED%B0%80', '', LONG];

/** Numbers are sent literally, because a double cannot hold some of them. */
const NUMBERS = ['0', '-1', '1.5', '1e308', '1e400', '9007199254740993', `1${'0'.repeat(400)}`].map((text) =>
  raw(text),
);

/** Replacements for any value of a body. */
export const ODD_VALUES: unknown[] = [
  ...ALWAYS,
  ...[null, true, false, ' ', [], [[]], [null], {}, { '': '' }, { '\0': 1 }, NESTED, new Array(5_000).fill(0)],
  ...NUMBERS,
  ...['0', '-1', 'null', 'undefined', '[object Object]', '../../x', "'; DROP TABLE x; --", '%00', '\u202e\ufeff💩'],
  ...['__proto__', 'constructor', '$ne', '*', '.', '..', '/', '\r\n', '{{x}}', '1e400', '9'.repeat(30)],
  ...['0000-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z', '2026-02-30T00:00:00Z', '2026-01-01T00:00:00+14:00'],
  ...['00000000-0000-0000-0000-000000000000', '0'.repeat(27), 'z'.repeat(27), 'http://', 'https://[', 'a@b'],
  ...[['\0'], [LONG], { a: '\ud800' }, { type: 'track', userId: '\0' }, [{ userId: 'u', '\0': 1 }]],
];

/**
 * Replacements for a parameter of a path or a query, encoded correctly or wrongly. An empty path parameter would be another path.
 */
export const ODD_PARAMETERS: string[] = [
  ...ALWAYS_ENCODED,
  ...['%20', '%', '%ZZ', '%FF', '%C0%AF', '%F0%9F%92%A9', '%E2%80%AE', '+', '..%2F..%2Fx', '%2e%2e', '%0d%0a'],
  ...['0', '-1', '1.5', '1e400', '9'.repeat(30), 'true', 'null', '[]', '{}', '*', "'--", '__proto__', '%25%30%30'],
  ...['x'.repeat(300), 'x'.repeat(3_000), '0'.repeat(27), 'z'.repeat(27), '00000000-0000-4000-8000-000000000000'],
  ...['0000-01-01T00:00:00Z', '00000000-0000-0000-0000-000000000000', 'ZGVhZC4w', 'dead.0', 'dead.999999999999999999'],
];

/** Replacements for a header's value. Bytes above 127 are sent as Latin-1. */
export const ODD_HEADERS: string[] = [
  ...['', ' ', '*', '"', '""', '"\\"', 'W/"x"', ',', ',,"a",', '\t', '\u00ff', 'é', '0', '-1', 'x'.repeat(8_000)],
  ...['null', '[]', '{}', '%00', '__proto__', 'application/json', 'a'.repeat(256), '"a"'.repeat(500), LONG],
];

/** JSON text that is inserted literally. */
function raw(text: string): unknown {
  return (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);
}
