/**
 * Shares runs of `work` among callers. Each caller gets a run that began after its call. Runs never overlap, and a pause
 * separates them. A flood of callers therefore costs no more than one caller that repeats its call.
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
