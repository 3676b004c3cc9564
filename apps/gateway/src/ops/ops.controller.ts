import { Controller, Get, Res } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';
import { Readiness } from './readiness.js';

const Report = z.object({ ready: z.boolean(), reasons: z.array(z.string()) });

/** Probes (architecture section 7). Metrics are on the operator's port only, because they cover all workspaces. */
@Controller()
export class OpsController {
  constructor(private readonly readiness: Readiness) {}

  @Get('livez')
  @Api({
    summary: 'Answers while the process lives',
    area: 'public',
    access: 'none',
    reply: z.object({ live: z.literal(true) }),
  })
  live() {
    return { live: true as const };
  }

  @Get('readyz')
  @Api({
    summary: 'Whether this can work: 200, or 503 with the reasons',
    area: 'public',
    access: 'none',
    reply: Report,
    errors: ['unavailable'],
  })
  async ready(@Res({ passthrough: true }) reply: Reply) {
    const report = await this.readiness.report();
    if (!report.ready) void reply.status(503);
    return report;
  }
}
