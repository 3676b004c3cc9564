import { isJsonObject, type JsonObject, MASK, secretValues } from '@weir/contracts';
import type { DestinationKind } from '../kind.js';
import { objectOf } from '../toolkit/objects.js';
import { type Literal, LiteralSearch, PREFIX_BYTES } from './literal-search.js';
import { Ranges } from './ranges.js';
import { base64FormsOf, hexFormOf, PART_LENGTH_MIN, partsOf } from './secret-forms.js';
import { startOf, unescaped, type View } from './unescaped.js';

/** For example a part of an address, in JSON, in an address, in JSON. */
const ESCAPE_LEVELS_MAX = 4;
/** A text of this length may have been cut within a secret. So the beginning of a secret at its end is hidden too. */
const CUT_LENGTH = 16_384;

/** Labels of literals. A plain form of a secret. */
const PLAIN = 0;
/** A Base64 form. The whole surrounding Base64 text is hidden. */
const ENCODED = 1;
/** Too short to be searched within words. One label per length from here, so that each is found separately. */
const WORD = 2;

/**
 * Hides secrets in texts from others, such as a vendor's response:
 * - in upper or lower case
 * - in Base64, alone or with a user name
 * - in hexadecimal digits
 * - escaped for a URL, JSON or HTML
 * - without its scheme (`Bearer x`)
 *
 * A secret below four characters is hidden only as a separate word. Makes one pass per level of escapes, for any number of
 * secrets.
 */
export class SecretMask {
  private readonly search: LiteralSearch | undefined;
  private readonly whole: ReadonlySet<string>;

  /** @param isCut whether long texts may have been cut, like vendor responses */
  constructor(
    secrets: readonly string[],
    private readonly options: { isCut: boolean } = { isCut: true },
  ) {
    this.whole = new Set(secrets);
    if (secrets.length > 0) this.search = new LiteralSearch(literalsOf(secrets), FOLDED);
  }

  /** Returns the value with every secret shown as `***`, in texts, keys and numbers. */
  in<T>(value: T): T {
    return (this.search ? this.masked(value) : value) as T;
  }

  private masked(value: unknown): unknown {
    if (typeof value === 'string') return this.maskedText(value);
    if (typeof value === 'number') return this.whole.has(String(value)) ? MASK : value;
    if (Array.isArray(value)) return value.map((item) => this.masked(item));
    if (!isJsonObject(value)) return value;
    return objectOf(Object.entries(value).map(([key, inner]) => [this.maskedKey(key), this.masked(inner)]));
  }

  /** A short key is more likely a name than a secret. */
  private maskedKey(key: string): string {
    return key.length < PART_LENGTH_MIN ? key : this.maskedText(key);
  }

  private maskedText(text: string): string {
    if (this.whole.has(text)) return MASK;
    const bytes = Buffer.from(text, 'utf8');
    let ranges = new Ranges();
    let view: View | undefined = { bytes };
    for (let level = 0; view && level <= ESCAPE_LEVELS_MAX; level += 1) {
      ranges = ranges.with(this.rangesIn(view, bytes));
      view = level < ESCAPE_LEVELS_MAX ? unescaped(view) : undefined;
    }
    return ranges.isEmpty ? text : ranges.replacedIn(bytes, MASK);
  }

  /** Returns ranges in the bytes of the original text, ordered by their ends. */
  private rangesIn(view: View, text: Uint8Array): Ranges {
    const ranges = new Ranges();
    const { length } = view.bytes;
    const hide = (start: number, end: number) => ranges.add(startOf(view, start), startOf(view, end));
    const open = this.search?.run(view.bytes, (label, start, furthest) => {
      const end = Math.min(furthest, length);
      if (label > WORD && (isWordByte(view.bytes[start - 1]) || isWordByte(view.bytes[end]))) return;
      hide(start, end);
      // Base64 around a secret contains a user name or other hints.
      if (label === ENCODED) ranges.widenLast(text, BASE64_BYTES, PADDING);
    });
    const isCut = this.options.isCut && text.length >= CUT_LENGTH;
    if (isCut && open !== undefined && open >= PART_LENGTH_MIN) hide(length - open, length);
    return ranges;
  }
}

function* literalsOf(secrets: readonly string[]): Generator<Literal> {
  for (const part of secrets.flatMap(partsOf)) {
    const bytes = Buffer.from(part, 'utf8');
    const isShort = bytes.length < PART_LENGTH_MIN;
    for (const reading of readingsOf(bytes)) yield literal(isShort ? WORD + reading.length : PLAIN, reading);
    if (!isShort) yield literal(PLAIN, hexFormOf(bytes));
    // A short secret is searched with the colon before it in `user:secret`.
    for (const form of base64FormsOf(isShort ? Buffer.from(`:${part}`) : bytes)) {
      if (form.length >= PART_LENGTH_MIN) yield literal(ENCODED, form);
    }
  }
}

const literal = (label: number, bytes: Uint8Array): Literal => ({
  label,
  prefix: bytes.subarray(0, PREFIX_BYTES),
  length: bytes.length,
});

/** The bytes as they are, and after each level of unescaping. */
function readingsOf(bytes: Uint8Array): Uint8Array[] {
  const readings: Uint8Array[] = [];
  let view: View | undefined = { bytes };
  while (view && readings.length <= ESCAPE_LEVELS_MAX) {
    readings.push(view.bytes);
    view = unescaped(view);
  }
  return readings;
}

/** Folds letters to lower case, Base64url to Base64, and the two blanks of forms to one. */
const FOLDED = Uint8Array.from({ length: 256 }, (_, byte) => {
  const char = String.fromCharCode(byte);
  if (char >= 'A' && char <= 'Z') return byte + 32;
  return { '-': 0x2b, ' ': 0x2b, _: 0x2f }[char] ?? byte;
});

const bytesOf = (pattern: RegExp) =>
  Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
const WORD_BYTES = bytesOf(/[\da-z\x80-\xff]/i);
const isWordByte = (byte: number | undefined): boolean => byte !== undefined && WORD_BYTES[byte] === 1;

const BASE64_BYTES = bytesOf(/[\w+/-]/);
/** `=` */
const PADDING = 0x3d;

const masks = new WeakMap<JsonObject, SecretMask>();

/** Caches the mask of a stored configuration, which never changes in place. */
export function maskOf(kind: Pick<DestinationKind, 'definition'>, config: JsonObject): SecretMask {
  const known = masks.get(config) ?? new SecretMask(secretValues(config, kind.definition.config.secretKeys));
  masks.set(config, known);
  return known;
}
