import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { JsonLogger, KitModule } from '@weir/service-kit';
import { AccountsModule } from './accounts/accounts.module.js';
import { TokenEntity } from './accounts/token.repository.js';
import {
  DeliveriesModule,
  EmptyListsModule,
  LiveEventsModule,
  NotificationsModule,
  RegulationsModule,
  SchemasModule,
  TestModule,
  TransformationsModule,
} from './areas/areas.module.js';
import { AuthModule } from './auth/auth.module.js';
import type { Config } from './config.js';
import { ConsoleModule } from './console/console.module.js';
import { createAdapter } from './http/adapter.js';
import type { Plane } from './http/areas.js';
import { ErrorFilter } from './http/errors.js';
import { HttpModule } from './http/http.module.js';
import type { PrivatePort } from './http/private-port.js';
import { IntakeModule } from './intake/intake.module.js';
import { ConnectionEntity, DestinationEntity, SourceEntity, WorkspaceEntity } from './inventory/inventory.entity.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { migrations } from './migrations/index.js';
import { DocsModule } from './openapi/docs.module.js';
import { OpsModule } from './ops/ops.module.js';
import { ProcessModule } from './ops/process.controller.js';
import { KeyRotationModule } from './rotation/key-rotation.js';

/** Modules with routes, by plane. A new area is registered only here. */
export const PLANE_MODULES: Record<Plane | 'both', Type[]> = {
  control: [
    AccountsModule,
    ConsoleModule,
    InventoryModule,
    TransformationsModule,
    RegulationsModule,
    TestModule,
    DeliveriesModule,
    LiveEventsModule,
    NotificationsModule,
    EmptyListsModule,
    ProcessModule,
    KeyRotationModule,
  ],
  data: [IntakeModule, SchemasModule],
  both: [OpsModule, DocsModule],
};

/** Tables whose rows are read and written one by one. The other tables have statements only. */
export const entities = [WorkspaceEntity, TokenEntity, SourceEntity, DestinationEntity, ConnectionEntity];

@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    const schema = { name: 'gateway', migrations, entities } as const;
    const kit = KitModule.register({ process: 'gateway.main', config, schema });
    const modules = [...config.planes, 'both' as const].flatMap((plane) => PLANE_MODULES[plane]);
    const planes = modules.filter((module) => module !== ConsoleModule || config.console.isEnabled);
    return { module: AppModule, imports: [kit, HttpModule, AuthModule, ...planes] };
  }
}

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
