export {
  assertNoPlaceholders,
  type BoundAddress,
  baseEnv,
  bindAddress,
  databaseEnv,
  incompleteEnvironment,
  loadConfig,
  MigrateEnv,
  opsAddressOf,
  readMigrateConfig,
  secretKey,
  sendsTraces,
  TracesEnv,
} from './config.js';
export { type DatabaseOptions, dataSourceFor, openDataSource, type ServiceSchema } from './database.js';
export { Health, type HealthCheck } from './health.js';
export { newKsuid } from './ids.js';
export { KitModule, type KitOptions } from './kit.module.js';
export { JsonLogger, type LoggerOptions } from './logger.js';
export { Metrics } from './metrics.js';
export { runMigrations } from './migrate.js';
export { startOpsServer } from './ops-server.js';
export { pepperGuard } from './pepper-guard.js';
export { isPlaceholderPassword } from './placeholders.js';
export { observeLag } from './queue-lag.js';
export { type RunOptions, runRpcService, runWorker, serve } from './run.js';
export { destinationAad, Sealer } from './sealer.js';
export { observeTopology } from './topology-health.js';
