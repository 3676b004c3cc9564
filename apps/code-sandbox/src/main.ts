import { Logger } from '@nestjs/common';
import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { SandboxModule } from './sandbox.module.js';

const config = readConfig();

await runRpcService(SandboxModule.register(config), { process: 'code-sandbox.main', config });
if (config.hasUnsafeCredentials) {
  new Logger('Config').warn('NATS_URL is for development. In production the URL comes by NATS_CREDENTIALS_FD');
}
