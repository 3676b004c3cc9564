/**
 * Runs `work` for any number of callers: each gets a run that began after it asked, no two runs overlap, and there is a
 * pause between them. So a flood of askers costs as much as one that asks again and again.
 */
export class Coalesced {
  private running: Promise<unknown> = Promise.resolve();
  private next: Promise<void> | undefined;

  constructor(
    private readonly work: () => Promise<void>,
    private readonly pauseMs: number,
  ) {}

  run(): Promise<void> {
    this.next ??= this.running.then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = undefined;
    const result = this.work();
    const pause = () => new Promise((done) => setTimeout(done, this.pauseMs));
    this.running = result.then(pause, pause);
    return result;
  }
}
