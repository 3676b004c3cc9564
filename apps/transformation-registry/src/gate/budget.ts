/** A budget of JSON bytes for the values in an answer. */
export class Budget {
  constructor(private left: number) {}

  /** Whether the value fits. If so, it draws on the budget. */
  take(value: unknown): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(value)) + 1;
    if (bytes > this.left) return false;
    this.left -= bytes;
    return true;
  }

  /** The first values that fit, in order. */
  fitting<T>(values: readonly T[]): T[] {
    const end = values.findIndex((value) => !this.take(value));
    return end === -1 ? [...values] : values.slice(0, end);
  }
}
