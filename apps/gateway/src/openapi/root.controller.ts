import { createRequire } from 'node:module';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import { z } from 'zod';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';

const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };

const Version = z.object({ name: z.literal('Weir'), version: z.string() });
const Root = Version.extend({ links: z.record(z.string(), z.string()) });

const WEIR: z.output<typeof Version> = { name: 'Weir', version };
const LINKS = { documentation: '/docs', openapi: '/openapi.json', version: '/version', ready: '/readyz' };

/** The first page that a visitor sees: people get the documentation, programs get links to it. */
@Controller()
export class RootController {
  @Get('/')
  @Api({
    summary: 'Show links to the documentation and the API. Browsers are led to the documentation',
    description: 'A client that prefers `text/html` is redirected (302) to `/docs`.',
    area: 'public',
    access: 'none',
    reply: Root,
  })
  root(@Headers('accept') accept: string | undefined, @Res({ passthrough: true }) reply: Reply) {
    void reply.header('vary', 'accept');
    if (accept?.includes('text/html')) void reply.status(302).header('location', LINKS.documentation);
    return { ...WEIR, links: LINKS };
  }

  @Get('/version')
  @Api({ summary: 'Get the version of the gateway', area: 'public', access: 'none', reply: Version })
  version() {
    return WEIR;
  }
}
