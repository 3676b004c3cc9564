import { fileURLToPath } from 'node:url';
import { type DynamicModule, Logger, Module } from '@nestjs/common';
import { KitModule, Metrics } from '@weir/service-kit';
import type { Config } from './config.js';
import { DistantChildren } from './host/distant-children.js';
import { OwnChildren } from './host/own-children.js';
import { RUN_LIMIT_MS } from './limits.js';
import { ChildPool } from './pool/child-pool.js';
import { poolMetrics } from './pool/pool-metrics.js';
import { CodeController } from './run/code.controller.js';
import { CodeService } from './run/code.service.js';
import { KillSwitch } from './run/kill-switch.js';
import { RunEndpoint } from './run/run-endpoint.js';

const CHILD_SCRIPT = fileURLToPath(new URL('./child.js', import.meta.url));

/** Answers `sandbox.code.*` requests. User code runs in the children of the pool. */
@Module({})
export class SandboxModule {
  static register(config: Config): DynamicModule {
    return {
      module: SandboxModule,
      imports: [KitModule.register({ process: 'code-sandbox.main', config })],
      controllers: [CodeController],
      providers: [
        { provide: ChildPool, inject: [Metrics], useFactory: (metrics: Metrics) => poolOf(config, metrics) },
        KillSwitch,
        CodeService,
        RunEndpoint,
      ],
    };
  }
}

function poolOf({ childrenSocket, children }: Config, metrics: Metrics): ChildPool {
  return new ChildPool({
    host: childrenSocket ? new DistantChildren(childrenSocket) : new OwnChildren(CHILD_SCRIPT),
    children,
    limitMs: RUN_LIMIT_MS,
    log: new Logger(ChildPool.name),
    observer: poolMetrics(metrics),
  });
}
