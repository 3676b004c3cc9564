import { Controller, Get, Query, StreamableFile } from '@nestjs/common';
import { Caller, type Principal } from '../../auth/principal.js';
import { Api } from '../../http/api.js';
import { LiveQuery, LiveStream } from './live-event.schemas.js';
import { LiveEventService } from './live-event.service.js';

@Controller('v2/live-events')
export class LiveEventController {
  constructor(private readonly live: LiveEventService) {}

  @Get()
  @Api({
    summary: 'Watch accepted events and what becomes of them, as it happens (server-sent events)',
    description:
      '`accepted` has source, time, type, name and, for admin tokens, the event; `delivery` has what one destination did ' +
      'with one event; `skipped` says how many were not shown: a view shows at most 50 a second. Events of suppressed ' +
      'users never appear. A view ends with `end` after an hour, or when Weir stops; at most ten in a workspace.',
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
