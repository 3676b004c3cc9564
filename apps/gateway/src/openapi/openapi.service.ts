import { hash } from 'node:crypto';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CONFIG, type Config } from '../config.js';
import { routesOf } from '../http/module-routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { openApiDocument } from './document.js';

/** The document of the routes that this process serves, which may be those of one plane. */
@Injectable()
export class OpenApiService implements OnApplicationBootstrap {
  /** The document as JSON. */
  body = '';
  etag = '';

  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'planes'>,
  ) {}

  /** Routes never change. Builds the document before the first request, because it takes a tenth of a second. */
  onApplicationBootstrap(): void {
    this.body = JSON.stringify(openApiDocument(this.routes()));
    this.etag = `"${hash('sha256', this.body, 'base64url')}"`;
  }

  private routes() {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => (metatype ? [metatype] : []));
    const intake = this.config.planes.includes('data') ? INTAKE_ROUTES : [];
    return [...routesOf(controllers as Parameters<typeof routesOf>[0]), ...intake];
  }
}
