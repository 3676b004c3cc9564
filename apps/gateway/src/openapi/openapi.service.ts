import { Inject, Injectable } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { CONFIG, type Config } from '../config.js';
import { routesOf } from '../http/module-routes.js';
import { INTAKE_ROUTES } from '../intake/intake.api.js';
import { openApiDocument } from './document.js';

/** The document of the routes that this process serves: with one plane, that one's. */
@Injectable()
export class OpenApiService {
  private made: string | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    @Inject(CONFIG) private readonly config: Pick<Config, 'planes'>,
  ) {}

  /** As JSON text; routes do not change, so it is made once. */
  json(): string {
    this.made ??= JSON.stringify(openApiDocument(this.routes()));
    return this.made;
  }

  private routes() {
    const controllers = this.discovery.getControllers().flatMap(({ metatype }) => (metatype ? [metatype] : []));
    const intake = this.config.planes.includes('data') ? INTAKE_ROUTES : [];
    return [...routesOf(controllers as Parameters<typeof routesOf>[0]), ...intake];
  }
}
