/** Something the person at the keyboard can act on: printed as the one sentence that it is, without a stack trace. */
export class StackFault extends Error {
  override readonly name = 'StackFault';
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
