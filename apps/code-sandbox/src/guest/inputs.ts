import { newList, PlainMap, parse, sliceText } from './primordials.js';

export type Json = Record<string, unknown>;
export interface Input {
  message: Json;
  metadata: Json;
}

/**
 * The events of one caller, as text. Each is parsed when its turn comes, so a long batch is never in memory as a whole. Finished
 * events become garbage while young, which is cheapest to collect.
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

  /** Metadata of the last event with that `messageId`, for copies that user code made. */
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

/** Splits the text of all events, which have a comma between them. `lengthsJson` has one list of lengths per caller. */
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
      at = end + 1;
    }
    inputs[group] = new Inputs(texts);
  }
  return inputs;
}

/** Implements `metadata(event)`: a copy of the event's own metadata, or of that of the event with its `messageId`. */
export function metadataOf(event: unknown, own: (event: object) => Json | undefined, inputs: Inputs): Json {
  if (typeof event !== 'object' || event === null) return {};
  return { ...(own(event) ?? inputs.metadataOf((event as Json)['messageId'])) };
}
