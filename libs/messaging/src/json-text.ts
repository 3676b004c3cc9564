/** A request or an answer that its sender has written as JSON already. Saves parsing what is only written again. */
export class JsonText {
  constructor(readonly text: string) {}
}

export const jsonTextOf = (value: unknown): string | undefined =>
  value instanceof JsonText ? value.text : JSON.stringify(value);
