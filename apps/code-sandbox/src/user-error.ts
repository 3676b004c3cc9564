import type { UserError } from '@weir/contracts';
import { ERROR_CHARS_MAX } from './limits.js';
import type { Failure } from './protocol.js';

export const TIMED_OUT = 'Error: Script execution timed out.';
export const OUT_OF_MEMORY = 'Error: Isolate was disposed during execution due to memory limit';
export const CRASHED = 'Error: The sandbox process ended while it ran this code';

/** Puts what happened into the user's own terms. */
export function userErrorOf({ kind, text }: Failure): UserError {
  const shown = shownText(text);
  const frame = frameOf(shown);
  const message = { thrown: shown, timeout: TIMED_OUT, memory: OUT_OF_MEMORY }[kind];
  return { message: message || 'Error', ...(frame && { frame }) };
}

/**
 * Message and the stack as far as it is the user's: up to the last line that names the function which Weir called, and
 * never a frame of the driver or of the host.
 */
export function shownText(text: string): string {
  const lines = text.slice(0, ERROR_CHARS_MAX).split('\n');
  const boundary = lines.findIndex((line) => /^\s+at \(<isolated-vm boundary>\)/.test(line));
  const inside = boundary === -1 ? lines : lines.slice(0, boundary);
  const entry = inside.findLastIndex((line) => /^\s+at (async )?(\w+\.)*transform(Event|Batch)\b/.test(line));
  const called = entry === -1 ? inside : inside.slice(0, entry + 1);
  const own = called.filter((line) => !/^\s+at .*\b(weir:\w+|node:|file:\/\/)/.test(line));
  // What the language itself was called for by Weir, to write a result.
  while (/^\s+at [\w.]+ \(<anonymous>\)$/.test(own.at(-1) ?? '')) own.pop();
  return own.join('\n');
}

const STACK_FRAME = /^\s+at (?:async )?(?:.*? \()?(.+):(\d+):(\d+)\)?$/m;
/** isolated-vm's way to say where a syntax error is. */
const SYNTAX_POSITION = /\[(.+):(\d+):(\d+)\]$/m;

function frameOf(text: string): UserError['frame'] {
  const found = STACK_FRAME.exec(text) ?? SYNTAX_POSITION.exec(text);
  const [, file, line, column] = found ?? [];
  return file === undefined ? undefined : { file, line: Number(line), column: Number(column) };
}
