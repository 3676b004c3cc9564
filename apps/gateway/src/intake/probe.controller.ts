import { Controller, Get, Res } from '@nestjs/common';
import { Health } from '@weir/service-kit';
import { z } from 'zod';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';

/** Clients compare these exact texts. */
const Answer = z.object({ server: z.literal('UP'), acceptingEvents: z.enum(['TRUE', 'FALSE']) });

const NO_ROBOTS = 'User-agent: *\nDisallow: /\n';

/** Probes of a data plane, at the paths that its clients and monitors know (wire-facts 6.1). */
@Controller()
export class ProbeController {
  constructor(private readonly health: Health) {}

  @Get('/health')
  @Api({
    summary: 'Report whether this process accepts events: 200 or 503',
    area: 'public',
    access: 'none',
    reply: Answer,
    errors: ['unavailable'],
  })
  async check(@Res({ passthrough: true }) reply: Reply): Promise<z.output<typeof Answer>> {
    // the intake takes events without the database
    const { ready } = await this.health.report(['process', 'broker']);
    if (!ready) void reply.status(503);
    return { server: 'UP', acceptingEvents: ready ? 'TRUE' : 'FALSE' };
  }

  @Get('/robots.txt')
  @Api({ summary: 'Keep search engines away', area: 'public', access: 'none', reply: z.string() })
  robots(@Res({ passthrough: true }) reply: Reply) {
    void reply.header('content-type', 'text/plain; charset=utf-8');
    return NO_ROBOTS;
  }
}
