import { Inject, Injectable } from '@nestjs/common';
import { type Health as HealthReport, healthCall, PROCESSES, type ProcessName } from '@weir/contracts';
import { RpcClient } from '@weir/messaging';
import { Health } from '@weir/service-kit';
import { CONFIG, type Config } from '../config.js';

const OTHERS: readonly ProcessName[] = PROCESSES.filter((name) => name !== 'gateway.main');

/** Whether this process can work. With `READY_SCOPE=all`, whether all of Weir can. */
@Injectable()
export class Readiness {
  constructor(
    @Inject(CONFIG) private readonly config: Pick<Config, 'readyScope'>,
    private readonly health: Health,
    private readonly rpc: RpcClient,
  ) {}

  async report(): Promise<HealthReport> {
    const own = await this.health.report();
    if (this.config.readyScope === 'self' || !own.ready) return own;
    const reports = await Promise.all(OTHERS.map((name) => this.reasonsOf(name)));
    const reasons = reports.flat();
    return { ready: reasons.length === 0, reasons };
  }

  private async reasonsOf(name: ProcessName): Promise<string[]> {
    const call = healthCall(name);
    const report = await this.rpc.send(call, {}).catch(() => undefined);
    if (!report) return [`${name}: does not answer`];
    if (report.ready) return [];
    return report.reasons.length > 0 ? report.reasons.map((reason) => `${name}: ${reason}`) : [`${name}: is not ready`];
  }
}
