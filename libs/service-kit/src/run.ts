import { setTimeout as sleep } from 'node:timers/promises';
import type { NatsConnection } from '@nats-io/transport-node';
import { type DynamicModule, type INestApplicationContext, type INestMicroservice, Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { healthCall, type ProcessName } from '@weir/contracts';
import { CALL_OBSERVER, type CallObserver, flushed, NATS, onMessage, RpcErrorFilter, RpcServer } from '@weir/messaging';
import { exitWhenClosed } from './broker-end.js';
import { type ProcessConfig, readTracesConfig, sendsTraces } from './config.js';
import { Health, startOpsServer } from './health.js';
import { JsonLogger } from './logger.js';
import { Metrics } from './metrics.js';
import type { Traces } from './trace-sdk.js';

/** Everything must end within this time after SIGTERM. Then the process exits anyway. */
const STOP_DEADLINE_MS = 12_000;
/** A process that is stopped while it starts waits this long to finish starting. */
const START_GRACE_MS = 3_000;

export interface RunOptions {
  process: ProcessName;
  config: Pick<ProcessConfig, 'logLevel' | 'ops'>;
}

const NO_TRACES: Traces = { stop: async () => undefined };

type RootModule = DynamicModule | (new (...args: never[]) => object);

/** Runs a process that answers calls: the `@Handles` methods of its controllers, with one queue group per app. */
export async function runRpcService(module: RootModule, options: RunOptions): Promise<void> {
  const [queue] = options.process.split('.') as [string];
  let app: INestMicroservice | undefined;
  const observer = () => app?.get<CallObserver>(CALL_OBSERVER, { strict: false });
  const strategy = new RpcServer(() => connectionOf(app), queue, observer);
  await serve(async () => {
    app = await NestFactory.createMicroservice(module, { strategy, logger: new JsonLogger(loggerOptions(options)) });
    app.useGlobalFilters(new RpcErrorFilter());
    await app.listen();
    return app;
  }, options);
}

/** Runs a process without calls. Its providers start in `onApplicationBootstrap` and stop in `onModuleDestroy`. */
export async function runWorker(module: RootModule, options: RunOptions): Promise<void> {
  const logger = new JsonLogger(loggerOptions(options));
  await serve(() => NestFactory.createApplicationContext(module, { logger }), options);
}

/**
 * Starts an app with health over NATS and HTTP, and tells the launcher when it is `ready`. Stops it in order, even when stopped
 * while it starts. An HTTP app listens before `start` resolves.
 */
export async function serve(start: () => Promise<INestApplicationContext>, options: RunOptions): Promise<void> {
  let started: Promise<() => Promise<void>> | undefined;
  stopOnSignal(async () => {
    const stop = await Promise.race([started, sleep(START_GRACE_MS, undefined)]);
    await stop?.();
  });
  started = start().then((app) => observed(app, options));
  await started;
  process.send?.({ type: 'ready' });
}

/** Returns a function that stops these and the app. */
async function observed(app: INestApplicationContext, options: RunOptions): Promise<() => Promise<void>> {
  const traces = await startTraces(options.process);
  const health = app.get(Health, { strict: false });
  const nats = connectionOf(app);
  const answering = nats.subscribe(healthCall(options.process).subject, {
    queue: options.process,
    callback: onMessage((message) => {
      void health.report().then((response) => message.respond(JSON.stringify({ response, isDisposed: true })));
    }),
  });
  // a process that hears of this one may call it at once
  await flushed(nats).catch(() => undefined);
  const broker = exitWhenClosed(nats);
  const { ops: address } = options.config;
  const ops = address && (await startOpsServer(address, health, app.get(Metrics, { strict: false })));
  return async () => {
    broker.mayClose();
    health.register('process', () => 'is stopping');
    answering.unsubscribe();
    await app.close();
    await traces.stop();
    ops?.close();
  };
}

/** Under a launcher, Ctrl-C reaches the whole group. The launcher decides who stops when, so SIGINT is ignored there. */
function stopOnSignal(stop: () => Promise<void>): void {
  const logger = new Logger('Process');
  let stopping = false;
  const once = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_DEADLINE_MS).unref();
    await stop().catch((error: Error) => logger.error(error.stack ?? error.message));
    process.exit(0);
  };
  process.on('SIGTERM', once);
  process.on('SIGINT', () => {
    if (!process.send) void once();
  });
  process.on('disconnect', once);
}

const connectionOf = (app: INestApplicationContext | undefined): NatsConnection => {
  if (!app) throw new Error('the application is not there yet');
  return app.get(NATS, { strict: false });
};

const loggerOptions = (options: RunOptions) => ({
  process: options.process,
  level: options.config.logLevel,
});

/** Starts tracing as the environment says. Loads the SDK only if needed. */
async function startTraces(process: string): Promise<Traces> {
  if (!sendsTraces()) return NO_TRACES;
  const { startSdk } = await import('./trace-sdk.js');
  return startSdk(process, readTracesConfig());
}
