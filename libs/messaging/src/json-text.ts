/** A request that its sender has written as JSON already, for callers that write parts of it once for many requests. */
export class JsonText {
  constructor(readonly text: string) {}
}

export const jsonTextOf = (request: unknown): string | undefined =>
  request instanceof JsonText ? request.text : JSON.stringify(request);
