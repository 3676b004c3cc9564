import { hash } from 'node:crypto';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import {
  Controller,
  Get,
  Headers,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  Res,
} from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { DestinationDefinition } from '@weir/contracts';
import { Periodic } from '@weir/messaging';
import { CONFIG } from '@weir/service-kit';
import { z } from 'zod';
import type { Config } from '../config.js';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';
import { routesOf } from '../http/routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { DefinitionCatalog } from '../inventory/definition.catalog.js';
import { openApiDocument } from './document.js';

/** A release of Weir may change the definitions. The document follows within this time. */
const REFRESH_MS = 30_000;

interface Published {
  /** The document as JSON. */
  body: string;
  etag: string;
  /** The definitions that it shows. Undefined while nobody has told them. */
  definitions?: readonly DestinationDefinition[] | undefined;
}

/** The document of the routes that this process serves, which may be those of one plane. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly refreshes: Periodic;
  private published: Published = { body: '', etag: '' };

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalog: DefinitionCatalog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'planes'>,
  ) {
    const log = new Logger(OpenApiService.name);
    const task = 'show the settings of destinations in the document';
    this.refreshes = new Periodic({ task, everyMs: REFRESH_MS, run: () => this.refresh(), log });
  }

  /** Builds the document before the first request, because it takes a tenth of a second. */
  onApplicationBootstrap(): void {
    this.build();
    this.refreshes.start();
    void this.refreshes.run();
  }

  onApplicationShutdown(): Promise<void> {
    return this.refreshes.stop();
  }

  /** Shows configurations in a free form while nobody knows the definitions. */
  async document(): Promise<Published> {
    if (!this.published.definitions) await this.refreshes.run();
    return this.published;
  }

  /** Builds the document again if the definitions have changed. No request waits for that. */
  private async refresh(): Promise<void> {
    const definitions = await this.catalog.list();
    if (!isDeepStrictEqual(definitions, this.published.definitions)) this.build(definitions);
  }

  private build(definitions?: readonly DestinationDefinition[]): void {
    const body = JSON.stringify(openApiDocument(this.routes(), definitions ?? []));
    this.published = { body, etag: `"${hash('sha256', body, 'base64url')}"`, definitions };
  }

  private routes() {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => (metatype ? [metatype] : []));
    const intake = this.config.planes.includes('data') ? INTAKE_ROUTES : [];
    return [...routesOf(controllers as Parameters<typeof routesOf>[0]), ...intake];
  }
}

@Controller()
export class OpenApiController {
  constructor(private readonly openApi: OpenApiService) {}

  @Get('/openapi.json')
  @Api({
    summary: 'Get this document (OpenAPI 3.1)',
    area: 'public',
    access: 'none',
    reply: z.string().meta({ contentMediaType: 'application/json' }),
  })
  async document(@Res({ passthrough: true }) reply: Reply) {
    const { body, etag } = await this.openApi.document();
    // If the client has the current document, only the tag is sent again.
    void reply.headers({ etag, 'cache-control': 'no-cache' }).type('application/json; charset=utf-8');
    return body;
  }
}

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
