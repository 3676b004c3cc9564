/**
 * Runs one thing at a time for many callers. Each call is served by a run that starts after it, so the run sees everything that
 * the caller did before. Callers that wait share the next run.
 */
export class SingleFlight {
  private current: Promise<void> | undefined;
  private next: Promise<void> | undefined;

  constructor(private readonly work: () => Promise<void>) {}

  run(): Promise<void> {
    if (!this.current) return this.begin();
    this.next ??= this.current.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = undefined;
    const run = this.work().finally(() => {
      if (this.current === run) this.current = undefined;
    });
    this.current = run;
    return run;
  }
}
