/** How long an answer counts as current. */
const FRESH_MS = 1_000;

/** Lets callers at about the same time share one answer, or one failure. However many ask, the question is asked once a second. */
export class Shared<T> {
  private latest: { answer: Promise<T>; until: number } | undefined;

  /** `patienceMs`: for how long new callers join a question that has no answer yet. */
  constructor(
    private readonly ask: () => Promise<T>,
    private readonly patienceMs: number,
  ) {}

  get(): Promise<T> {
    if (this.latest && performance.now() < this.latest.until) return this.latest.answer;
    const latest = { answer: this.ask(), until: performance.now() + this.patienceMs + FRESH_MS };
    const end = () => {
      latest.until = Math.min(latest.until, performance.now() + FRESH_MS);
    };
    latest.answer.then(end, end);
    this.latest = latest;
    return latest.answer;
  }
}
