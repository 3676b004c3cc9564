/** What goes on for one caller's events. */
export interface GuestRun {
  /** Marks the event that was called when the run was ended; answers whether there is one. */
  interrupt(limitMs: number): boolean;
  /** Without more to come: what is still waiting waits in vain. */
  settle(): void;
  /** `isLoose`: any of the events may be the one that the run was ended for. */
  text(isLoose: boolean): string;
}
