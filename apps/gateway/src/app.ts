import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JsonLogger } from '@weir/service-kit';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { createAdapter } from './http/adapter.js';
import { ErrorFilter } from './http/errors.js';
import type { PrivatePort } from './http/private-port.js';

/** The gateway, and its second port if the configuration has one. */
export interface Gateway {
  app: NestFastifyApplication;
  privatePort: PrivatePort | undefined;
}

/** Creates the gateway, ready to listen. */
export async function createApp(config: Config): Promise<Gateway> {
  const { adapter, errors, privatePort } = createAdapter(config);
  const logger = new JsonLogger({ process: 'gateway.main', level: config.logLevel });
  const app = await NestFactory.create<NestFastifyApplication>(AppModule.register(config), adapter, {
    logger,
    // `http/adapter.ts` leaves bodies unread, and code behind the guards parses them.
    bodyParser: false,
  });
  app.useGlobalFilters(new ErrorFilter(errors));
  return { app, privatePort };
}
