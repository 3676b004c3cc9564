import { createServer, type Server } from 'node:http';
import type { Health as HealthReport } from '@weir/contracts';
import type { BoundAddress } from './config.js';
import type { Metrics } from './metrics.js';

/** Returns a reason while not ready. */
export type HealthCheck = () => Promise<string | undefined> | string | undefined;

/** A check that takes longer counts as not ready. */
export const CHECK_TIMEOUT_MS = 2_000;

/** The subject of a check: a state of this process, or a server that every replica needs and all of them lose at once. */
export type CheckScope = 'process' | 'broker' | 'database';
const EVERYTHING: readonly CheckScope[] = ['process', 'broker', 'database'];

/** Conditions for this process to do its work. Liveness depends on the event loop only and needs no check. */
export class Health {
  private readonly checks = new Map<string, { check: HealthCheck; scope: CheckScope }>();

  register(name: string, check: HealthCheck, scope: CheckScope = 'process'): void {
    this.checks.set(name, { check, scope });
  }

  /** Whether this process can do its work: all of it, or what needs no more than these. */
  async report(scopes: readonly CheckScope[] = EVERYTHING): Promise<HealthReport> {
    const asked = [...this.checks].filter(([, { scope }]) => scopes.includes(scope));
    const reasons = await Promise.all(asked.map(([name, { check }]) => reasonOf(name, check)));
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

/** Longer than the usual minute between two scrapes, so that a connection never ends just as it is used again. */
const KEEP_ALIVE_MS = 65_000;

/** Serves /livez, /readyz and /metrics of a process on a separate address. For the cluster only, never for the public. */
export async function startOpsServer(address: BoundAddress, health: Health, metrics: Metrics): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split('?', 1)[0];
    const json = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (path === '/livez') return json(200, { live: true });
    if (path === '/readyz') {
      const report = await health.report();
      return json(report.ready ? 200 : 503, report);
    }
    if (path === '/metrics') {
      return response.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.text());
    }
    return json(404, { message: 'Not found: /livez, /readyz and /metrics are here' });
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  await new Promise<void>((done, fail) => server.once('error', fail).listen(address, done));
  return server;
}
