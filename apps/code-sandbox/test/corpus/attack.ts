import type { JsonObject } from '@weir/contracts';

/**
 * The results that a caller gets for an attacked event. `ended` means a timeout, or an earlier fault of V8 when it compiles a
 * function with no stack left. The size of each frame decides which.
 */
export type Outcome = 'timeout' | 'ended' | 'memory' | 'dropped' | { error: string | RegExp } | { output: JsonObject };

/** A name, a program, and the outcome of its first event. */
export type Attack = readonly [name: string, code: string, outcome: Outcome];

export interface Family {
  name: string;
  /** Small, so that hundreds of programs run in a minute. The rules are the same. */
  memoryMb: number;
  attacks: readonly Attack[];
}

/** Placeholders for the path of a file and the name of an environment variable that nothing may read. */
export const CANARY_FILE = '/canary/file/path';
export const CANARY_NAME = 'WEIR_CANARY';

export const each = (body: string) => `export function transformEvent(event, metadata) { ${body} }`;
export const eachAsync = (body: string) => `export async function transformEvent(event, metadata) { ${body} }`;
/** Wraps an attempt in a program whose output shows what it obtained. */
export const attempt = (body: string, head = '') => `${head}
  export async function transformEvent(event, metadata) {
    try {
      const got = await (async () => { ${body} })();
      return { got: got === null ? 'null' : typeof got };
    } catch (error) {
      return { failed: error instanceof Error ? String(error) : 'not an Error: ' + error?.message };
    }
  }`;
export const GOT_NOTHING: Outcome = { output: { got: 'undefined' } };
export const failed = (message: string): Outcome => ({ output: { failed: message } });
export const OVERFLOW: Outcome = { error: /^RangeError: Maximum call stack size exceeded/ };
