import { refusals } from './refusals.js';

/** Bytes of bodies that this process holds at a time; parsed they take several times as much. */
export const IN_FLIGHT_BYTES_MAX = 33_554_432;

/** What one request holds of the bound. Has to be released in a `finally`. */
export interface Hold {
  /** Throws `unavailable` when all requests together would hold too much. */
  add(bytes: number): void;
  release(): void;
}

/** Bounds the memory of everything that was received and is not yet acknowledged by the broker. */
export class InFlightBytes {
  private used = 0;

  constructor(private readonly max = IN_FLIGHT_BYTES_MAX) {}

  get bytes(): number {
    return this.used;
  }

  open(): Hold {
    let held = 0;
    return {
      add: (bytes) => {
        if (this.used + bytes > this.max) throw refusals.unavailable();
        this.used += bytes;
        held += bytes;
      },
      release: () => {
        this.used -= held;
        held = 0;
      },
    };
  }
}
