/** The run of one caller's events. */
export interface GuestRun {
  /** Marks the event that was running when the run was ended. Returns whether there is one. */
  interrupt(limitMs: number): boolean;
  /** Fails everything that still waits, because nothing more can happen. */
  settle(): void;
  /** `isLoose` means that any event may be why the run was ended. */
  text(isLoose: boolean): string;
}
