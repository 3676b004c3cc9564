import { AppError, hasInexactId, isJsonObject, isStorableText, withIdsAsWritten } from '@weir/contracts';

/** Deepest nesting of a control plane body (security-reliability 3.5). */
export const CONTROL_DEPTH_MAX = 64;
/** Most keys of a control plane body: 5,000 regulated users with 20 identifiers each, and below what holds up the event loop. */
export const CONTROL_KEYS_MAX = 120_000;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const refuse = (message: string) => new AppError('invalid', message);

/**
 * Parses a control plane body. Undefined when there is none; everything that no service could store is refused here. Ids
 * in events that a number cannot keep are texts, as they are written, like those of the intake.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = decode(bytes);
  const value = parse(text);
  return checkTree(value).isExact ? value : parse(withIdsAsWritten(text));
}

function decode(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw refuse('The body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw refuse(`The body is not valid JSON: ${positionOf(error)}`);
  }
}

/** V8 quotes the text around the fault; only the position is worth repeating. */
function positionOf(error: unknown): string {
  const position = error instanceof Error ? /position \d+/.exec(error.message)?.[0] : undefined;
  return position ? `unexpected input at ${position}` : 'it ends too early or has no value';
}

/** Without recursion, because depth is what is being checked. Answers whether every id is what was written. */
function checkTree(root: unknown): { isExact: boolean } {
  const open: { value: unknown; depth: number }[] = [{ value: root, depth: 1 }];
  let keys = 0;
  let isExact = true;
  for (let node = open.pop(); node; node = open.pop()) {
    if (typeof node.value === 'string') refuseUnstorable(node.value);
    if (typeof node.value !== 'object' || node.value === null) continue;
    if (node.depth > CONTROL_DEPTH_MAX) throw refuse(`The body is nested deeper than ${CONTROL_DEPTH_MAX} levels`);
    isExact &&= !(isJsonObject(node.value) && hasInexactId(node.value));
    for (const [key, value] of Object.entries(node.value)) {
      keys += 1;
      if (keys > CONTROL_KEYS_MAX) throw refuse(`The body has more than ${CONTROL_KEYS_MAX} keys and items`);
      refuseUnstorable(key);
      open.push({ value, depth: node.depth + 1 });
    }
  }
  return { isExact };
}

/** No text column can hold it, and nobody means it. */
function refuseUnstorable(text: string): void {
  if (isStorableText(text)) return;
  const what = text.includes('\0') ? 'a NUL character' : 'half of a surrogate pair';
  throw refuse(`The body has a text with ${what}`);
}
