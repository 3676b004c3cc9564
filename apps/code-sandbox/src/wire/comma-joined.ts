const COMMA = Buffer.from(',');
const COMMA_BYTE = 0x2c;
const NONE: Buffer = Buffer.alloc(0);

/**
 * The parts of a list with a comma between each. Parts that already stand like this in one text become one buffer of that text,
 * so that a batch is passed on without a copy.
 */
export function commaJoined(parts: readonly Buffer[]): Buffer[] {
  const joined: Buffer[] = [];
  let text = NONE;
  let [start, end] = [0, 0];
  for (const { buffer, byteOffset, length } of parts) {
    if (buffer !== text.buffer || byteOffset !== end + 1 || text[end] !== COMMA_BYTE) {
      if (text !== NONE) joined.push(text.subarray(start, end), COMMA);
      [text, start] = [Buffer.from(buffer), byteOffset];
    }
    end = byteOffset + length;
  }
  if (parts.length > 0) joined.push(text.subarray(start, end));
  return joined;
}
