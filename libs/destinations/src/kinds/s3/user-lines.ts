import { withIdsAsWritten } from '@weir/contracts';

const NEWLINE = 0x0a;
/** A line is held in memory. No event is nearly this long. */
const LINE_BYTES_MAX = 16_777_216;

/** Splits chunks into lines, each with its original line end. Throws {@link LineTooLong}. */
export async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...parts, chunk.subarray(start, end + 1)]);
      [parts, bytes, start] = [[], 0, end + 1];
    }
    parts.push(chunk.subarray(start));
    bytes += chunk.length - start;
    if (bytes > LINE_BYTES_MAX) throw new LineTooLong();
  }
  if (bytes > 0) yield Buffer.concat(parts);
}

export class LineTooLong extends Error {}

/** Whether a line is an event of one of the users. Only its top-level `userId` counts (spec 4.2 rule 5). */
export function isOfUsers(line: Buffer, userIds: ReadonlySet<string>): boolean {
  const text = line.toString('utf8');
  return mayBeOf(text, userIds) && userIds.has(userIdOf(text) ?? '');
}

/** A fast check, because most lines belong to others. Only a backslash or another number notation could hide an id from it. */
function mayBeOf(text: string, userIds: ReadonlySet<string>): boolean {
  if (text.includes('\\')) return true;
  for (const [, quoted, bare] of text.matchAll(/"userId"\s*:\s*(?:"([^"]*)"|([^\s,}]+))/g)) {
    if (userIds.has((quoted ?? bare ?? '').trim()) || /[.e]/i.test(bare ?? '')) return true;
  }
  return false;
}

function userIdOf(text: string): string | undefined {
  try {
    const event: unknown = JSON.parse(withIdsAsWritten(text));
    const userId = typeof event === 'object' && event !== null && 'userId' in event ? event.userId : undefined;
    return userId === undefined || userId === null ? undefined : String(userId).trim();
  } catch {
    // A line that is not an event belongs to nobody.
    return undefined;
  }
}
