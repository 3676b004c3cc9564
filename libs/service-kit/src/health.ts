import type { Health as HealthReport } from '@weir/contracts';

/** Returns a reason while not ready. */
export type HealthCheck = () => Promise<string | undefined> | string | undefined;

/** A check that takes longer counts as not ready. */
const CHECK_TIMEOUT_MS = 2_000;

/** Conditions for this process to do its work. Liveness depends on the event loop only and needs no check. */
export class Health {
  private readonly checks = new Map<string, HealthCheck>();

  register(name: string, check: HealthCheck): void {
    this.checks.set(name, check);
  }

  async report(): Promise<HealthReport> {
    const reasons = await Promise.all([...this.checks].map(([name, check]) => reasonOf(name, check)));
    const given = reasons.filter((reason) => reason !== undefined);
    return { ready: given.length === 0, reasons: given };
  }
}

async function reasonOf(name: string, check: HealthCheck): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<string>((done) => {
    timer = setTimeout(() => done('does not answer'), CHECK_TIMEOUT_MS);
  });
  const reason = await Promise.race([Promise.resolve().then(check), late]).catch(() => 'is not available');
  clearTimeout(timer);
  return reason && `${name}: ${reason}`;
}
