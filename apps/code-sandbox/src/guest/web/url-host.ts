import { utf8Decode } from './text-encoding.js';
import { ENCODE_SETS, percentDecode, percentEncode } from './url-encoding.js';

const FORBIDDEN_HOST = /[\0\t\n\r #/:<>?@[\\\]^|]/;
const FORBIDDEN_DOMAIN = /[\0-\x20"#%/:<>?@[\\\]^`{|}\x7f]/;

/** Returns the host as a URL spells it, or undefined if invalid (URL Standard, section 3.5). */
export function parseHost(text: string, isSpecial: boolean): string | undefined {
  if (text.startsWith('[')) {
    const pieces = text.endsWith(']') ? parseIpv6(text.slice(1, -1)) : undefined;
    return pieces && `[${serializeIpv6(pieces)}]`;
  }
  if (!isSpecial) return FORBIDDEN_HOST.test(text) ? undefined : percentEncode(text, ENCODE_SETS.control);
  const domain = toAscii(utf8Decode(percentDecode(text)));
  if (domain === '' || FORBIDDEN_DOMAIN.test(domain)) return undefined;
  return endsInNumber(domain) ? parseIpv4(domain) : domain;
}

/** Folds compatibility forms and case, then encodes non-ASCII labels as punycode (UTS 46 without its validity lists). */
function toAscii(domain: string): string {
  const folded = domain
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[\u3002\uff0e\uff61]/g, '.');
  const labels = folded.replace(/\u00ad|\u200b|\u2060|\ufeff|[\ufe00-\ufe0f]/g, '').split('.');
  return labels.map((label) => (/^[\0-\x7f]*$/.test(label) ? label : `xn--${punycode(label)}`)).join('.');
}

/** RFC 3492, section 6.3. */
function punycode(label: string): string {
  const codes = Array.from(label, (character) => character.codePointAt(0) ?? 0);
  let output = String.fromCharCode(...codes.filter((code) => code < 128));
  const basic = output.length;
  if (basic > 0) output += '-';
  let [n, delta, bias, handled] = [128, 0, 72, basic];
  while (handled < codes.length) {
    const next = Math.min(...codes.filter((code) => code >= n));
    delta += (next - n) * (handled + 1);
    n = next;
    for (const code of codes) {
      if (code < n) delta += 1;
      if (code !== n) continue;
      output += variableLength(delta, bias);
      bias = adapted(delta, handled + 1, handled === basic);
      delta = 0;
      handled += 1;
    }
    delta += 1;
    n += 1;
  }
  return output;
}

function variableLength(delta: number, bias: number): string {
  let digits = '';
  let left = delta;
  for (let k = 36; ; k += 36) {
    const threshold = Math.min(26, Math.max(1, k - bias));
    if (left < threshold) return digits + left.toString(36).replace(/./, digitLetter);
    const digit = threshold + ((left - threshold) % (36 - threshold));
    digits += digitLetter(digit.toString(36));
    left = Math.floor((left - threshold) / (36 - threshold));
  }
}

/** 0 to 25 are letters and 26 to 35 are digits, unlike in `toString(36)`. */
function digitLetter(base36: string): string {
  const value = Number.parseInt(base36, 36);
  return String.fromCharCode(value < 26 ? value + 97 : value + 22);
}

function adapted(delta: number, points: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? 700 : 2));
  left += Math.floor(left / points);
  let k = 0;
  for (; left > 455; k += 36) left = Math.floor(left / 35);
  return k + Math.floor((36 * left) / (left + 38));
}

function endsInNumber(domain: string): boolean {
  const labels = domain.split('.');
  if (labels.at(-1) === '' && labels.length > 1) labels.pop();
  return /^(\d+|0x[\da-f]*)$/i.test(labels.at(-1) ?? '');
}

function parseIpv4(text: string): string | undefined {
  const parts = text.split('.');
  if (parts.at(-1) === '' && parts.length > 1) parts.pop();
  if (parts.length > 4) return undefined;
  const numbers = parts.map(ipv4Number);
  const last = numbers.pop() ?? Number.NaN;
  if (!numbers.every((number) => number <= 255) || !(last < 256 ** (4 - numbers.length))) return undefined;
  const address = numbers.reduce((sum, number, index) => sum + number * 256 ** (3 - index), last);
  return [24, 16, 8, 0].map((shift) => Math.floor(address / 2 ** shift) % 256).join('.');
}

/** Parses a decimal, octal (`0…`) or hexadecimal (`0x…`) number. Returns NaN for anything else. */
function ipv4Number(part: string): number {
  const hex = /^0x([\da-f]*)$/i.exec(part);
  if (hex) return hex[1] === '' ? 0 : Number.parseInt(hex[1] ?? '', 16);
  if (/^0[0-7]+$/.test(part)) return Number.parseInt(part, 8);
  return /^(0|[1-9]\d*)$/.test(part) ? Number(part) : Number.NaN;
}

const IPV4 = /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/;

/** Converts an IPv4 address to the last two pieces of an IPv6 address. */
function twoPieces(ipv4: string): string {
  const bytes = ipv4.split('.');
  if (bytes.some((byte) => Number(byte) > 255 || /^0\d/.test(byte))) return 'invalid';
  const [a = 0, b = 0, c = 0, d = 0] = bytes.map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

/** Returns the eight pieces, or undefined if invalid. */
export function parseIpv6(text: string): number[] | undefined {
  const lastColon = text.lastIndexOf(':');
  const withoutIpv4 = text.slice(0, lastColon + 1) + text.slice(lastColon + 1).replace(IPV4, twoPieces);
  const halves = withoutIpv4.split('::');
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === '' ? [] : half.split(':')));
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  const pieces = [...head, ...Array<string>(missing).fill('0'), ...tail];
  return pieces.every((piece) => /^[\da-f]{1,4}$/i.test(piece))
    ? pieces.map((piece) => Number.parseInt(piece, 16))
    : undefined;
}

/** Omits the longest run of two or more zeros. */
function serializeIpv6(pieces: number[]): string {
  const text = pieces.map((piece) => piece.toString(16)).join(':');
  const runs = [...text.matchAll(/\b0(:0)+\b/g)];
  const [longest] = runs.sort((a, b) => b[0].length - a[0].length || a.index - b.index);
  if (!longest) return text;
  const before = text.slice(0, longest.index).replace(/:$/, '');
  const after = text.slice(longest.index + longest[0].length).replace(/^:/, '');
  return `${before}::${after}`;
}
