import type { JsonObject } from '@weir/contracts';

/**
 * The results that a caller gets for an attacked event. `ended` means a timeout, or an earlier fault of V8 when it compiles a
 * function with no stack left. The size of each frame decides which.
 */
export type Outcome =
  | 'timeout'
  | 'ended'
  | 'memory'
  | 'dropped'
  | { error: string | RegExp }
  /** An error whose message contains this text. For messages with places of no interest. */
  | { failing: string }
  | { output: JsonObject }
  | { outputs: JsonObject[] };

/** Inputs of a program besides its code. One event without fields is the default. */
export interface Surroundings {
  /** Keyed by import name. */
  libraries?: Record<string, string>;
  /** The bundle's name in stack traces. */
  name?: string;
  events?: JsonObject[];
  metadata?: JsonObject[];
  credentials?: { key: string; value: string }[];
  allowFetch?: boolean;
}

/** A name, a program, and the outcome of its event, or one for each of its events. */
export type Attack = readonly [
  name: string,
  code: string,
  outcome: Outcome | readonly Outcome[],
  surroundings?: Surroundings & {
    /** All lines of its log. */
    logs?: readonly string[];
  },
];

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
/** A function that gives every event the same result, after some code at module level. */
export const after = (head: string, result = '{ a: 1 }') => `${head}; export const transformEvent = () => (${result});`;
export const GOT_NOTHING: Outcome = { output: { got: 'undefined' } };
export const failed = (message: string): Outcome => ({ output: { failed: message } });
export const NO_OBJECT: Outcome = { error: 'returned event from transformEvent(event) is not an object' };
export const NO_OBJECTS: Outcome = {
  error: 'returned event in events array from transformEvent(event) is not an object',
};
export const TOO_LARGE: Outcome = { error: 'returned event is larger than 921600 bytes' };
export const CANNOT_BE_SHOWN: Outcome = { error: 'Error: user code threw a value that cannot be shown' };
/** A promise that nothing can settle any more. */
export const NEVER: Outcome = {
  error: 'Error: Script execution timed out. The promise that it returned never settles.',
};
export const OVERFLOW: Outcome = { error: /^RangeError: Maximum call stack size exceeded/ };
