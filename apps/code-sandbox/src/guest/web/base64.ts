const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const VALUES = new Map([...ALPHABET].map((letter, value) => [letter, value]));

function invalidCharacter(message: string): Error {
  const error = new Error(message);
  error.name = 'InvalidCharacterError';
  return error;
}

/** Encodes a text of code units up to 255 as base64, like browsers. */
export function btoa(data: unknown): string {
  const text = String(data);
  let encoded = '';
  for (let at = 0; at < text.length; at += 3) {
    const bytes = [text.charCodeAt(at), text.charCodeAt(at + 1), text.charCodeAt(at + 2)];
    if (bytes.some((byte) => byte > 255)) throw invalidCharacter('Invalid character: btoa takes bytes only');
    const [first = 0, second = 0, third = 0] = bytes.map((byte) => byte || 0);
    const bits = (first << 16) | (second << 8) | third;
    const letters = [18, 12, 6, 0].map((shift) => ALPHABET[(bits >> shift) & 63]).join('');
    const missing = at + 3 - text.length;
    encoded += missing > 0 ? letters.slice(0, -missing) + '='.repeat(missing) : letters;
  }
  return encoded;
}

/** Decodes base64 to one code unit per byte. Accepts white space and missing padding. */
export function atob(data: unknown): string {
  const packed = String(data).replace(/[\t\n\f\r ]/g, '');
  const letters = packed.length % 4 === 0 ? packed.replace(/={1,2}$/, '') : packed;
  if (letters.length % 4 === 1) throw invalidCharacter('The string to be decoded is not correctly encoded.');
  let decoded = '';
  let bits = 0;
  let held = 0;
  for (const letter of letters) {
    const value = VALUES.get(letter);
    if (value === undefined) throw invalidCharacter('The string to be decoded is not correctly encoded.');
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    decoded += String.fromCharCode((bits >> held) & 255);
  }
  return decoded;
}
