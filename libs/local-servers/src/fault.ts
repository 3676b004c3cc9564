/** A fault that the operator can fix. It is printed as a single sentence without a stack trace. */
export class StackFault extends Error {
  override readonly name = 'StackFault';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
