import { utf8Decode, utf8Encode } from './text-encoding.js';

/**
 * The percent-encode sets of the URL Standard, section 1.3, without controls and non-ASCII characters, which every set contains.
 */
const FRAGMENT = ' "<>`';
const QUERY = ' "#<>';
const PATH = `${QUERY}?^\`{}`;
export const ENCODE_SETS = {
  control: '',
  fragment: FRAGMENT,
  query: QUERY,
  specialQuery: `${QUERY}'`,
  path: PATH,
  userinfo: `${PATH}/:;=@[\\]|`,
};

const hexByte = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
const isPlain = (character: string, set: string) =>
  character > '\x1f' && character < '\x7f' && !set.includes(character);

export function percentEncode(text: string, set: string): string {
  let encoded = '';
  for (const character of text) {
    encoded += isPlain(character, set) ? character : Array.from(utf8Encode(character), hexByte).join('');
  }
  return encoded;
}

export function percentDecode(text: string): Uint8Array {
  const bytes = utf8Encode(text);
  const decoded: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    const digits = bytes[at] === 0x25 && String.fromCharCode(bytes[at + 1] ?? 0, bytes[at + 2] ?? 0);
    const isEncoded = typeof digits === 'string' && /^[\da-f]{2}$/i.test(digits);
    decoded.push(isEncoded ? Number.parseInt(digits, 16) : (bytes[at] ?? 0));
    if (isEncoded) at += 2;
  }
  return Uint8Array.from(decoded);
}

/** Decodes a component of `application/x-www-form-urlencoded`. */
export function formDecode(text: string): string {
  return utf8Decode(percentDecode(text.replaceAll('+', ' ')));
}

export function formEncode(text: string): string {
  let encoded = '';
  for (const character of text) {
    if (character === ' ') encoded += '+';
    else if (/^[\w*.-]$/.test(character)) encoded += character;
    else encoded += Array.from(utf8Encode(character), hexByte).join('');
  }
  return encoded;
}
