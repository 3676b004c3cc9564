const REPLACEMENT = 0xfffd;
const UTF8_LABELS = ['utf-8', 'utf8', 'unicode-1-1-utf-8'];

/** Encodes a text in UTF-8. An unpaired surrogate becomes U+FFFD. */
export function utf8Encode(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3);
  let length = 0;
  for (let at = 0; at < text.length; at += 1) {
    let code = text.charCodeAt(at);
    if (code < 0x80) {
      bytes[length++] = code;
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const whole = text.codePointAt(at) ?? REPLACEMENT;
      code = whole > 0xffff ? whole : REPLACEMENT;
      if (whole > 0xffff) at += 1;
    }
    if (code >= 0x10000) bytes[length++] = 0xf0 | (code >> 18);
    if (code >= 0x800) bytes[length++] = code >= 0x10000 ? 0x80 | ((code >> 12) & 63) : 0xe0 | (code >> 12);
    bytes[length++] = code >= 0x800 ? 0x80 | ((code >> 6) & 63) : 0xc0 | (code >> 6);
    bytes[length++] = 0x80 | (code & 63);
  }
  return bytes.slice(0, length);
}

/** Returns how many bytes follow a lead byte, and the valid range of the second. Rejects overlong forms and surrogates. */
function leadOf(byte: number): { following: number; low: number; high: number } | undefined {
  if (byte >= 0xc2 && byte <= 0xdf) return { following: 1, low: 0x80, high: 0xbf };
  if (byte >= 0xe0 && byte <= 0xef)
    return { following: 2, low: byte === 0xe0 ? 0xa0 : 0x80, high: byte === 0xed ? 0x9f : 0xbf };
  if (byte >= 0xf0 && byte <= 0xf4)
    return { following: 3, low: byte === 0xf0 ? 0x90 : 0x80, high: byte === 0xf4 ? 0x8f : 0xbf };
  return undefined;
}

/** Decodes the character at `at`. Returns its code point, or -1 if invalid, and the number of bytes read. */
function decodeOne(bytes: Uint8Array, at: number): { code: number; length: number } {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return { code: first, length: 1 };
  const lead = leadOf(first);
  if (!lead) return { code: -1, length: 1 };
  let code = first & (0x3f >> lead.following);
  for (let n = 1; n <= lead.following; n += 1) {
    const byte = bytes[at + n] ?? 0;
    const [low, high] = n === 1 ? [lead.low, lead.high] : [0x80, 0xbf];
    if (byte < low || byte > high) return { code: -1, length: n };
    code = (code << 6) | (byte & 63);
  }
  return { code, length: lead.following + 1 };
}

export function utf8Decode(bytes: Uint8Array, fatal = false): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const { code, length } = decodeOne(bytes, at);
    if (code === -1 && fatal) throw new TypeError('The encoded data was not valid for encoding utf-8');
    text += String.fromCodePoint(code === -1 ? REPLACEMENT : code);
    at += length;
  }
  return text;
}

/** Returns the bytes of a buffer or of a view. */
export function bytesOf(data: unknown): Uint8Array {
  if (data instanceof ArrayBuffer) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  throw new TypeError('The data must be an ArrayBuffer or a view of one');
}

export class TextEncoder {
  readonly encoding = 'utf-8';

  encode(text: unknown = ''): Uint8Array {
    return utf8Encode(String(text));
  }

  encodeInto(source: unknown, destination: Uint8Array): { read: number; written: number } {
    let read = 0;
    let written = 0;
    for (const character of String(source)) {
      const bytes = utf8Encode(character);
      if (written + bytes.length > destination.length) break;
      destination.set(bytes, written);
      read += character.length;
      written += bytes.length;
    }
    return { read, written };
  }
}

/** Supports only UTF-8 and whole texts, not streams. */
export class TextDecoder {
  readonly encoding = 'utf-8';
  readonly fatal: boolean;
  readonly ignoreBOM: boolean;

  constructor(label: unknown = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    if (!UTF8_LABELS.includes(String(label).trim().toLowerCase())) {
      throw new RangeError(`The "${String(label)}" encoding is not supported`);
    }
    this.fatal = Boolean(options.fatal);
    this.ignoreBOM = Boolean(options.ignoreBOM);
  }

  decode(data: unknown = new ArrayBuffer(0)): string {
    const text = utf8Decode(bytesOf(data), this.fatal);
    return !this.ignoreBOM && text.startsWith('\ufeff') ? text.slice(1) : text;
  }
}
