import { newList, PlainMap, parse, sliceText } from './primordials.js';

export type Json = Record<string, unknown>;
export interface Input {
  message: Json;
  metadata: Json;
}

/**
 * The events of one caller, as text. Each is parsed when its turn comes, so that a long batch is never in memory as a
 * whole: what has been dealt with is garbage while it is still young, which costs the least.
 */
export class Inputs {
  readonly #texts: string[];
  #ids: PlainMap<unknown, Json> | undefined;

  constructor(texts: string[]) {
    this.#texts = texts;
  }

  get length(): number {
    return this.#texts.length;
  }

  at(index: number): Input {
    return parse(this.#texts[index] as string) as Input;
  }

  all(): Input[] {
    const list = newList<Input>();
    for (let index = 0; index < this.length; index += 1) list[index] = this.at(index);
    return list;
  }

  /** Metadata of the last event with that `messageId`: for copies that user code made. */
  metadataOf(messageId: unknown): Json | undefined {
    if (messageId === undefined) return undefined;
    if (!this.#ids) {
      this.#ids = new PlainMap();
      for (let index = 0; index < this.length; index += 1) {
        const { message, metadata } = this.at(index);
        this.#ids.set(message['messageId'], metadata);
      }
    }
    return this.#ids.get(messageId);
  }
}

/** Cuts the joined texts apart; `lengthsJson` has a list of lengths for each caller. */
export function inputsOf(joined: string, lengthsJson: string): Inputs[] {
  const groups = parse(lengthsJson) as number[][];
  const inputs = newList<Inputs>();
  let at = 0;
  for (let group = 0; group < groups.length; group += 1) {
    const lengths = groups[group] as number[];
    const texts = newList<string>();
    for (let index = 0; index < lengths.length; index += 1) {
      const end = at + (lengths[index] as number);
      texts[index] = sliceText(joined, at, end);
      at = end;
    }
    inputs[group] = new Inputs(texts);
  }
  return inputs;
}

/** What `metadata(event)` answers: the event's own metadata, or that of the event with its `messageId`; always a copy. */
export function metadataOf(event: unknown, own: (event: object) => Json | undefined, inputs: Inputs): Json {
  if (typeof event !== 'object' || event === null) return {};
  return { ...(own(event) ?? inputs.metadataOf((event as Json)['messageId'])) };
}
