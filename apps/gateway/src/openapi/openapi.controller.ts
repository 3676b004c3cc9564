import { hash } from 'node:crypto';
import { Controller, Get, Inject, Injectable, Logger, type OnApplicationBootstrap, Res } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { DestinationDefinition } from '@weir/contracts';
import { CONFIG } from '@weir/service-kit';
import { z } from 'zod';
import type { Config } from '../config.js';
import { Api } from '../http/api.js';
import type { Reply } from '../http/request.js';
import { routesOf } from '../http/routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { DefinitionCatalog } from '../inventory/definition.catalog.js';
import { openApiDocument } from './document.js';

interface Published {
  /** The document as JSON. */
  body: string;
  etag: string;
}

/** The document of the routes that this process serves, which may be those of one plane. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  private readonly logger = new Logger(OpenApiService.name);
  private published: Published & { definitions: string } = { body: '', etag: '', definitions: '' };

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly catalog: DefinitionCatalog,
    @Inject(CONFIG) private readonly config: Pick<Config, 'planes'>,
  ) {}

  /** Builds the document before the first request, because it takes a tenth of a second. */
  onApplicationBootstrap(): void {
    this.build([]);
  }

  /** Builds the document again only if the definitions have changed, which a release of Weir may do. */
  async document(): Promise<Published> {
    const definitions = await this.definitions();
    if (definitions && JSON.stringify(definitions) !== this.published.definitions) this.build(definitions);
    return this.published;
  }

  private build(definitions: readonly DestinationDefinition[]): void {
    const body = JSON.stringify(openApiDocument(this.routes(), definitions));
    const etag = `"${hash('sha256', body, 'base64url')}"`;
    this.published = { body, etag, definitions: JSON.stringify(definitions) };
  }

  /** Undefined while nobody knows them. The document then shows configurations in a free form. */
  private async definitions(): Promise<DestinationDefinition[] | undefined> {
    try {
      return await this.catalog.list();
    } catch (error) {
      this.logger.warn(`the document lacks the settings of destinations: ${(error as Error).message}`);
      return undefined;
    }
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
