import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { Api } from '../../http/api.js';
import { Caller, type Principal } from '../../http/principal.js';
import { LiveQuery, LiveStream } from './live-event.schemas.js';
import { LiveEventService } from './live-event.service.js';

@Controller()
export class LiveEventController {
  constructor(private readonly live: LiveEventService) {}

  @Get('/v2/live-events')
  @Api({
    summary: 'Watch accepted events and their deliveries live (server-sent events)',
    description:
      '`accepted` has source, time, type, name and, for admin tokens, the event. `delivery` has the result of one event at ' +
      'one destination. `suppressed` says how many events of a source regulations have stopped since the last one, and ' +
      'nothing of these events. `skipped` says how many events at least were left out, because a view shows at most 50 a second, and all views of a workspace take at most 2 MiB a second. A view ends with `end` after an hour or when Weir stops. A workspace has at most ten.',
    area: 'deliveries',
    access: 'read',
    query: LiveQuery,
    reply: LiveStream,
    errors: ['rate_limited', 'unavailable'],
  })
  async watch(@Caller() caller: Principal, @Query() query: LiveQuery) {
    const view = await this.live.open(caller, query);
    return new StreamableFile(view, { type: 'text/event-stream' }) as unknown as string;
  }
}
