import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { Controller, Get, Inject, Injectable, Module } from '@nestjs/common';
import {
  AppError,
  OPTIONAL_PROCESSES,
  PROCESSES,
  type ProcessName,
  ProcessReport,
  ROLL_CALL_SUBJECT,
} from '@weir/contracts';
import { gather, NATS } from '@weir/messaging';
import { Shared } from '@weir/service-kit';
import { z } from 'zod';
import { Api } from '../http/api.js';

/** Longer than the two seconds after which a process says that its database does not answer. */
const PATIENCE_MS = 2_500;
/** How long further replicas may still answer once each name has been heard. */
const QUIET_MS = 150;

/** Asks every running process to tell of itself. */
@Injectable()
class Roll {
  /** Many consoles ask every few seconds. */
  private readonly roll = new Shared(() => this.ask(), PATIENCE_MS);

  constructor(@Inject(NATS) private readonly nats: NatsConnection) {}

  /** The reports of all that answered in time. Callers at about the same time share one question. */
  async call(): Promise<ProcessReport[]> {
    const reports = await this.roll.get();
    // this process answers too, so silence means that nobody was asked
    if (reports.length === 0) throw new AppError('unavailable', 'The broker is away, so no process can be asked');
    return reports;
  }

  private async ask(): Promise<ProcessReport[]> {
    const reports: ProcessReport[] = [];
    const missing = new Set<ProcessName>(PROCESSES);
    const onAnswer = (answer: Msg) => {
      const report = reportIn(answer);
      if (report) {
        reports.push(report);
        missing.delete(report.process);
      }
      return missing.size === 0;
    };
    await gather(this.nats, ROLL_CALL_SUBJECT, { patienceMs: PATIENCE_MS, quietMs: QUIET_MS, onAnswer });
    return reports;
  }
}

/** Undefined for the broker's own words, and for a process of a version that says something else. */
function reportIn(answer: Msg): ProcessReport | undefined {
  try {
    return ProcessReport.safeParse(answer.json()).data;
  } catch {
    return undefined;
  }
}

const Instance = ProcessReport.omit({ process: true });

const Process = z
  .object({
    name: z.enum([...PROCESSES, ...OPTIONAL_PROCESSES]),
    instances: z.array(Instance).describe('The replicas that answered within 2.5 s, the oldest first'),
  })
  .meta({ id: 'Process' });

/** Lists the running processes for people of any workspace. Probes and monitors have `/readyz` and the metrics. */
@Controller()
export class ProcessController {
  constructor(private readonly roll: Roll) {}

  @Get('/v2/processes')
  @Api({
    summary: 'List the processes of Weir, with the version, the health and the backlog of each',
    description:
      'Each process is in the list, also while none of its name answers. One that is optional is in it while it answers. A broker that is not reliable can forget accepted events when it is killed.',
    area: 'inventory',
    access: 'read',
    reply: z.object({ processes: z.array(Process) }),
    errors: ['unavailable'],
  })
  async list() {
    const reports = await this.roll.call();
    const optional = OPTIONAL_PROCESSES.filter((name) => reports.some(({ process }) => process === name));
    const names = [...PROCESSES, ...optional];
    return { processes: names.map((name) => ({ name, instances: instancesOf(name, reports) })) };
  }
}

const instancesOf = (name: ProcessReport['process'], reports: readonly ProcessReport[]) =>
  reports
    .filter(({ process }) => process === name)
    .map(({ process: _, ...instance }) => instance)
    .toSorted((a, b) => a.startedAt.localeCompare(b.startedAt));

@Module({ controllers: [ProcessController], providers: [Roll] })
export class ProcessModule {}
