import { withoutCredentials } from './mask.js';
import { asObject, asText, isArray, newList, now, sliceText, stringify, tagOfValue } from './primordials.js';
import { settings } from './settings.js';
import { shownErrorJson } from './shown-error.js';

/** Error texts for invalid results. */
const NOT_AN_OBJECT = {
  one: 'returned event from transformEvent(event) is not an object',
  element: 'returned event in events array from transformEvent(event) is not an object',
  batch: 'returned event in events array from transformBatch(events) is not an object',
  batches: 'returned events from transformBatch(event) is not an array',
};

/**
 * The results of one caller's events, each as the JSON for the reply. An empty string means unfinished. Uses only concatenation
 * and private fields, so that nothing that user code may have changed takes part.
 */
export class Outcomes {
  readonly #texts = newList<string>();
  readonly #startedAt = newList<number>();
  readonly #length: number;
  #strays = '';
  #strayCount = 0;

  constructor(length: number) {
    this.#length = length;
    for (let index = 0; index < length; index += 1) this.#texts[index] = '';
  }

  begin(index: number): void {
    this.#startedAt[index] = now();
  }

  /** Only tests report the time of an event. */
  #milliseconds(index: number): string {
    const startedAt = this.#startedAt[index];
    return settings.collectLogs && startedAt !== undefined ? `,"milliseconds":${now() - startedAt}` : '';
  }

  /** `outputs` are JSON objects, joined by commas. */
  done(index: number, outputs: string): void {
    const status = outputs === '' ? '"status":"dropped"' : `"status":"ok","outputs":[${outputs}]`;
    this.#texts[index] = `{${status}${this.#milliseconds(index)}}`;
  }

  /** `position` is given for an error that does not belong to the event. */
  fail(index: number, error: string, position?: number): void {
    this.#failAs(index, shownErrorJson(error, settings), position);
  }

  failAll(error: string): void {
    const json = shownErrorJson(error, settings);
    for (let index = 0; index < this.#length; index += 1) this.#failAs(index, json);
  }

  #failAs(index: number, json: string, position?: number): void {
    const place = isShown(position) ? `,"position":${position}` : '';
    this.#texts[index] = `{"status":"error","error":${json}${place}${this.#milliseconds(index)}}`;
  }

  /** Marks the event that ended the run. */
  stop(index: number): void {
    this.#texts[index] = '{"status":"stopped"}';
  }

  ranFor(index: number): number {
    return now() - (this.#startedAt[index] ?? now());
  }

  isOpen(index: number): boolean {
    return this.#texts[index] === '';
  }

  get isComplete(): boolean {
    for (let index = 0; index < this.#length; index += 1) if (this.isOpen(index)) return false;
    return true;
  }

  failOpen(error: string): void {
    for (let index = 0; index < this.#length; index += 1) if (this.isOpen(index)) this.fail(index, error);
  }

  /** Adds an error that belongs to no event. */
  addStray(error: string, position: number): void {
    if (this.#strayCount === settings.straysMax) return;
    this.#strayCount += 1;
    const place = isShown(position) ? `"position":${position},` : '';
    this.#strays += `${this.#strays === '' ? '' : ','}{${place}${sliceText(shownErrorJson(error, settings), 1)}`;
  }

  /** Omits the results if they do not fit one reply, so that the caller sends fewer events. */
  text(isLoose: boolean): string {
    let results = '';
    for (let index = 0; index < this.#length; index += 1) {
      results += `${index === 0 ? '' : ','}${this.#texts[index] === '' ? 'null' : this.#texts[index]}`;
    }
    if (results.length + this.#strays.length > settings.resultChars) return '{"isTooLarge":true}';
    return `{"results":[${results}],"strays":[${this.#strays}]${isLoose ? ',"isLoose":true' : ''}}`;
  }
}

/** Only tests show outputs and errors in one list. */
const isShown = (position: number | undefined) => settings.collectLogs && position !== undefined;

/**
 * Returns the outputs of `transformEvent` as JSON, joined by commas. Throws what `JSON.stringify` throws, for BigInt, cycles and
 * getters of user code.
 */
export function outputsOf(returned: unknown): string {
  if (returned === null || returned === undefined) return '';
  if (!isArray(returned)) return objectText(returned, NOT_AN_OBJECT.one);
  let outputs = '';
  for (let index = 0; index < returned.length; index += 1) {
    outputs += `${index === 0 ? '' : ','}${objectText(returned[index], NOT_AN_OBJECT.element)}`;
    assertFits(outputs);
  }
  return outputs;
}

/** Returns one element of the list from `transformBatch` as JSON. */
export const batchOutputOf = (event: unknown): string => objectText(event, NOT_AN_OBJECT.batch);

export function assertBatch(returned: unknown): asserts returned is unknown[] {
  if (!isArray(returned)) throw new Refusal(NOT_AN_OBJECT.batches);
}

function objectText(value: unknown, refusal: string): string {
  const text = tagOfValue(value) === '[object Object]' ? stringify(value) : undefined;
  if (typeof text !== 'string' || text[0] !== '{') throw new Refusal(refusal);
  assertFits(text);
  return text;
}

function assertFits(text: string): void {
  if (text.length > settings.resultChars) {
    throw new Refusal(`returned event is larger than ${settings.resultChars} bytes`);
  }
}

/** Says why a result is invalid. Not an Error, because it has no place in user code. */
class Refusal {
  readonly #told: string;

  constructor(told: string) {
    this.#told = told;
  }

  static of(thrown: unknown): string | undefined {
    return typeof thrown === 'object' && thrown !== null && #told in thrown ? thrown.#told : undefined;
  }
}

/** Describes a thrown value. Anything can be thrown, and reading it can throw again. */
export function describe(thrown: unknown): string {
  const refusal = Refusal.of(thrown);
  if (refusal !== undefined) return refusal;
  try {
    const { stack } = asObject(thrown) as { stack: unknown };
    if (typeof stack === 'string' && stack !== '') return stack;
    return `Error: thrown: ${sliceText(withoutCredentials(shownValue(thrown), settings.secrets), 0, settings.errorChars)} (not an Error object)`;
  } catch {
    return 'Error: user code threw a value that cannot be shown';
  }
}

/** Returns an object as JSON and any other value as text, because JSON turns NaN into null. What JSON cannot write is text too. */
export function shownValue(value: unknown): string {
  if (typeof value !== 'object' || value === null) return asText(value);
  try {
    return stringify(value) ?? asText(value);
  } catch {
    return asText(value);
  }
}
