export { ActsRelay, recordAct } from './acts.js';
export {
  assertNoPlaceholders,
  type BoundAddress,
  baseEnv,
  bindAddress,
  CONFIG,
  type DatabaseConfig,
  databaseConfig,
  databaseEnv,
  incompleteEnvironment,
  loadConfig,
  MigrateEnv,
  opsAddressOf,
  type ProcessConfig,
  processConfig,
  readMigrateConfig,
  secretKey,
  secretKeys,
  sendsTraces,
  TracesEnv,
} from './config.js';
export { type DatabaseOptions, dataSourceFor, openDataSource, runMigrations, type ServiceSchema } from './database.js';
export { Health, type HealthCheck, startOpsServer } from './health.js';
export { newKsuid } from './ids.js';
export { KitModule, type KitOptions } from './kit.module.js';
export { JsonLogger, type LoggerOptions } from './logger.js';
export { Metrics } from './metrics.js';
export { PEPPERS_TABLE_SQL, Pepper, PepperGuard, pepperGuard } from './pepper.js';
export { isPlaceholderPassword } from './placeholders.js';
export { Backlog } from './roll-call.js';
export { type RunOptions, runRpcService, runWorker, serve } from './run.js';
export { destinationAad, Sealer } from './sealer.js';
export { SerialTransactions } from './serial-transactions.js';
export { Shared } from './shared.js';
export { Database, type Session, Transaction } from './sql.js';
export { TopologyModule } from './topology.module.js';
