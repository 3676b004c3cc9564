import { type DynamicModule, Global, Module, type Type } from '@nestjs/common';
import { KitModule } from '@weir/service-kit';
import { DeliveriesModule } from './areas/deliveries/deliveries.module.js';
import { EmptyListsModule } from './areas/empty-lists/empty-lists.module.js';
import { LiveEventsModule } from './areas/live-events/live-events.module.js';
import { RegulationsModule } from './areas/regulations/regulations.module.js';
import { SchemasModule } from './areas/schemas/schemas.module.js';
import { TestModule } from './areas/test/test.module.js';
import { TransformationsModule } from './areas/transformations/transformations.module.js';
import { AuthModule } from './auth/auth.module.js';
import { CONFIG, type Config } from './config.js';
import { DocsModule } from './docs/docs.module.js';
import type { Plane } from './http/areas.js';
import { HttpModule } from './http/http.module.js';
import { IntakeModule } from './intake/intake.module.js';
import { InventoryModule } from './inventory/inventory.module.js';
import { migrations } from './migrations/index.js';
import { OpsModule } from './ops/ops.module.js';
import { AdminTokenController } from './tokens/admin-token.controller.js';
import { TokenController } from './tokens/token.controller.js';
import { TokensModule } from './tokens/tokens.module.js';
import { AdminWorkspaceController } from './workspaces/admin-workspace.controller.js';
import { WorkspaceController } from './workspaces/workspace.controller.js';
import { WorkspacesModule } from './workspaces/workspaces.module.js';

/** Accounts of the control plane: workspaces and access tokens. */
@Module({
  imports: [TokensModule, WorkspacesModule, InventoryModule],
  controllers: [AdminWorkspaceController, WorkspaceController, AdminTokenController, TokenController],
})
class AccountsModule {}

/** Modules with routes, by plane. Register a new area only here. */
export const PLANE_MODULES: Record<Plane | 'both', Type[]> = {
  control: [
    AccountsModule,
    InventoryModule,
    TransformationsModule,
    RegulationsModule,
    TestModule,
    DeliveriesModule,
    LiveEventsModule,
    EmptyListsModule,
  ],
  data: [IntakeModule, SchemasModule],
  both: [OpsModule, DocsModule],
};

@Global()
@Module({})
class ConfigModule {
  static register(config: Config): DynamicModule {
    return { module: ConfigModule, providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] };
  }
}

@Module({})
export class AppModule {
  static register(config: Config): DynamicModule {
    const { natsUrl, databaseUrl: url, databasePoolMax: poolMax, databaseDurability: durability } = config;
    const kit = KitModule.register({
      process: 'gateway.main',
      natsUrl,
      database: { schema: 'gateway', url, poolMax, durability, migrations },
    });
    const planes = [...config.planes, 'both' as const].flatMap((plane) => PLANE_MODULES[plane]);
    return {
      module: AppModule,
      imports: [kit, ConfigModule.register(config), HttpModule, AuthModule, ...planes],
    };
  }
}
