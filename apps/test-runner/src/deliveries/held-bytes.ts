/** What all destinations of this process may hold in memory before they stop pulling. */
const HELD_BYTES_MAX = 134_217_728;

/** Counts the bytes of messages that are being worked on, over all destinations of the process. */
export class HeldBytes {
  private total = 0;

  add(bytes: number): void {
    this.total += bytes;
  }

  remove(bytes: number): void {
    this.total -= bytes;
  }

  hasRoom(): boolean {
    return this.total < HELD_BYTES_MAX;
  }
}
