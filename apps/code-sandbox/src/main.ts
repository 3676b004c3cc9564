import { fileURLToPath } from 'node:url';
import { Logger, Module } from '@nestjs/common';
import { KitModule, runRpcService } from '@weir/service-kit';
import { CodeController } from './code.controller.js';
import { CodeService, SANDBOX, type SandboxOptions } from './code.service.js';
import { readConfig } from './config.js';
import { DistantChildren } from './host/distant-children.js';
import { OwnChildren } from './host/own-children.js';
import { KillSwitch, SWITCHED_OFF } from './kill-switch.js';
import { RUN_LIMIT_MS } from './limits.js';
import { RunEndpoint } from './run-endpoint.js';

const PROCESS = 'code-sandbox.main';
const CHILD_SCRIPT = fileURLToPath(new URL('./child.js', import.meta.url));
const config = readConfig();

const host = config.childrenSocket ? new DistantChildren(config.childrenSocket) : new OwnChildren(CHILD_SCRIPT);
const options: SandboxOptions = { host, children: config.children, limitMs: RUN_LIMIT_MS };

@Module({
  imports: [KitModule.register({ process: PROCESS, natsUrl: config.natsUrl })],
  controllers: [CodeController],
  providers: [
    { provide: SANDBOX, useValue: options },
    { provide: SWITCHED_OFF, useValue: config.switchedOff },
    KillSwitch,
    CodeService,
    RunEndpoint,
  ],
})
class MainModule {}

await runRpcService(MainModule, { process: PROCESS, logLevel: config.logLevel, ops: config.ops });
if (config.hasUnsafeCredentials) {
  new Logger('Config').warn('NATS_URL is for development: in production the URL comes by NATS_CREDENTIALS_FD');
}
