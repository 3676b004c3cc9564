import { Controller, Get, Module } from '@nestjs/common';
import { OPTIONAL_PROCESSES, PROCESSES, ProcessReport } from '@weir/contracts';
import { z } from 'zod';
import { Api } from '../http/api.js';
import { Roll } from './roll.js';

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
