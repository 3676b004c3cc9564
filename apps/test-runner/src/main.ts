import { runRpcService } from '@weir/service-kit';
import { readConfig } from './config.js';
import { TestRunnerModule } from './test-runner.module.js';

const config = readConfig();

await runRpcService(TestRunnerModule.register(config), { process: 'test-runner.main', config });
