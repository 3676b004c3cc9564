import { Controller, Get, Inject, Injectable, Res } from '@nestjs/common';
import { type Health as HealthReport, healthCall, PROCESSES, type ProcessName } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { CONFIG, Health, Shared } from '@weir/service-kit';
import { z } from 'zod';
import type { Config } from '../config.js';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';

const OTHERS: readonly ProcessName[] = PROCESSES.filter((name) => name !== 'gateway.main');

/** Longer than the two seconds after which a process says what does not answer. */
const OTHERS_PATIENCE_MS = 3_000;

/** Whether this process can work. With `READY_SCOPE=all`, whether all of Weir can. */
@Injectable()
export class Readiness {
  /** Asking every other process is costly, so callers share it. */
  private readonly others = new Shared(() => this.askOthers(), OTHERS_PATIENCE_MS);

  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'readyScope'>,
    private readonly health: Health,
    private readonly rpc: RpcClient,
  ) {}

  /** Whether a load balancer should send requests here. A lost server is no reason against it, because no other replica has that server. */
  reportOwn(): Promise<HealthReport> {
    return this.health.report(['process']);
  }

  async report(): Promise<HealthReport> {
    const own = await this.health.report();
    if (this.config.readyScope === 'self' || !own.ready) return own;
    const reasons = await this.others.get();
    return { ready: reasons.length === 0, reasons };
  }

  private async askOthers(): Promise<string[]> {
    return (await Promise.all(OTHERS.map((name) => this.reasonsOf(name)))).flat();
  }

  private async reasonsOf(name: ProcessName): Promise<string[]> {
    const call = healthCall(name);
    const report = await this.rpc.send(call, {}).catch(() => undefined);
    if (!report) return [`${name}: does not answer`];
    if (report.ready) return [];
    return report.reasons.length > 0 ? report.reasons.map((reason) => `${name}: ${reason}`) : [`${name}: is not ready`];
  }
}

const Report = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });

/** Probes (architecture section 7). Metrics are on the operator's port only, because they cover all workspaces. */
@Controller()
export class OpsController {
  constructor(private readonly readiness: Readiness) {}

  @Get('/livez')
  @Api({
    summary: 'Report that the process is alive',
    area: 'public',
    access: 'none',
    reply: z.object({ live: z.literal(true) }),
  })
  live() {
    return { live: true as const };
  }

  @Get('/readyz')
  @Api({
    summary: 'Report whether Weir can work: 200, or 503 with the reasons',
    area: 'public',
    access: 'none',
    reply: Report,
    errors: ['unavailable'],
  })
  async ready(@Res({ passthrough: true }) reply: Reply) {
    return answered(reply, await this.readiness.report());
  }

  @Get('/servez')
  @Api({
    summary: 'Report whether a load balancer should send requests here: 200, or 503 with the reasons',
    description:
      'Unlike `/readyz`, it does not depend on database and broker. All gateways lose these at once, and the intake takes events without the database.',
    area: 'public',
    access: 'none',
    reply: Report,
    errors: ['unavailable'],
  })
  async serves(@Res({ passthrough: true }) reply: Reply) {
    return answered(reply, await this.readiness.reportOwn());
  }
}

function answered(reply: Reply, report: HealthReport): HealthReport {
  if (!report.ready) void reply.status(503);
  return report;
}
