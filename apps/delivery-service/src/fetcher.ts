import { runRpcService } from '@weir/service-kit';
import { readFetcherConfig } from './config.js';
import { FetcherModule } from './fetcher.module.js';

const config = readFetcherConfig();

await runRpcService(FetcherModule.register(config), { process: 'delivery-service.fetcher', config });
