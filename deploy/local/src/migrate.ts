import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMPILE_CACHE_DIR, NATS_MIGRATE_USER, StackFault, withLog } from '@weir/local-servers';
import { SCHEMA_OF, type StackFacts } from './environment.js';
import { MIGRATION_SETTINGS, SYSTEM_VARIABLES } from './settings.js';

/** A migration that takes longer hangs. */
const MIGRATION_TIMEOUT_MS = 120_000;
/** Characters of its log that a failed migration shows. */
const LOG_TAIL_LENGTH = 1_500;

/**
 * Runs the migrations of all apps in parallel, because each app has its own schema. If one fails, the others are ended, and the
 * promise rejects with the first failure once none of them runs.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const apps = Object.keys(SCHEMA_OF).filter((app) => existsSync(join(options.appsDir, app, 'dist/migrate.js')));
  const failed = new AbortController();
  const signal = AbortSignal.any([failed.signal, ...(options.signal ? [options.signal] : [])]);
  const endAll = (fault: unknown) => failed.abort(fault);
  await Promise.all(apps.map((app) => migrateApp(app, { ...options, signal }).catch(endAll)));
  failed.signal.throwIfAborted();
}

interface MigrateOptions {
  appsDir: string;
  facts: StackFacts;
  /** Folder of the log files. */
  logs: string;
  signal?: AbortSignal | undefined;
}

function migrateApp(app: string, { appsDir, facts, logs, signal }: MigrateOptions): Promise<void> {
  const logFile = join(logs, `${app}.migrate.log`);
  const schema = SCHEMA_OF[app];
  const environment: NodeJS.ProcessEnv = { NATS_URL: facts.natsUrls[NATS_MIGRATE_USER], LOG_LEVEL: facts.logLevel };
  environment['NODE_COMPILE_CACHE'] = COMPILE_CACHE_DIR;
  for (const name of [...SYSTEM_VARIABLES, ...MIGRATION_SETTINGS]) {
    if (facts.operator[name] !== undefined) environment[name] = facts.operator[name];
  }
  if (schema) environment['DATABASE_URL'] = facts.databaseUrls[schema];
  return new Promise((resolve, reject) => {
    const child = withLog(logFile, (log) =>
      spawn(process.execPath, [join(appsDir, app, 'dist/migrate.js')], {
        env: environment,
        stdio: ['ignore', log, log],
        timeout: MIGRATION_TIMEOUT_MS,
        signal,
      }),
    );
    let problem: Error | undefined;
    child.once('error', (error) => {
      problem = error;
      if (child.pid === undefined) reject(error);
    });
    child.once('exit', (code, killedBy) => {
      if (code === 0) return resolve();
      if (problem) return reject(problem);
      const tail = readFileSync(logFile, 'utf8').trim().slice(-LOG_TAIL_LENGTH);
      reject(new StackFault(`The migration of ${app} failed (${killedBy ?? `exit code ${code}`}): ${tail}`));
    });
  });
}
