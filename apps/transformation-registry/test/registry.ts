import 'reflect-metadata';
import { afterAll, beforeAll } from '@jest/globals';
import { type INestMicroservice, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppError, Call, ReplyOf, RequestInputOf } from '@weir/contracts';
import { NATS, RpcClient, RpcErrorFilter, RpcServer } from '@weir/messaging';
import { KitModule, newKsuid } from '@weir/service-kit';
import { type ServiceProcess, startProcess, useDatabase, useNats } from '@weir/testing';
import { migrations } from '../src/migrations/index.js';
import { RegistryModule } from '../src/registry.module.js';

const PROCESS = 'transformation-registry.main';
const START_TIMEOUT_MS = 40_000;

/** The registry with a database and a broker of the test file, and a real sandbox. */
export function useRegistry() {
  let app: INestMicroservice | undefined;
  let sandbox: ServiceProcess | undefined;
  // Hooks run in the order of their definition. This one must run before the database and the broker stop.
  afterAll(async () => {
    await app?.close();
    await sandbox?.stop();
  }, START_TIMEOUT_MS);
  const database = useDatabase('registry', migrations);
  const nats = useNats();
  const startSandbox = async () => {
    const env = { NATS_URL: nats.url, LOG_LEVEL: 'warn', SANDBOX_CHILDREN: '4' };
    sandbox = await startProcess('code-sandbox.main', env);
  };
  beforeAll(async () => {
    await startSandbox();
    app = await startRegistry(nats.url, database.url);
  }, START_TIMEOUT_MS);
  return {
    database,
    nats,
    startSandbox,
    stopSandbox: async () => sandbox?.stop(),
    send: <C extends Call>(call: C, request: RequestInputOf<C>): Promise<ReplyOf<C>> =>
      new RpcClient(nats.connection).send(call, request),
  };
}

async function startRegistry(natsUrl: string, url: string): Promise<INestMicroservice> {
  const database = { schema: 'registry' as const, url, migrations };
  @Module({ imports: [KitModule.register({ process: PROCESS, natsUrl, database }), RegistryModule] })
  class TestModule {}
  const strategy = new RpcServer(() => app.get(NATS, { strict: false }), 'transformation-registry');
  const app: INestMicroservice = await NestFactory.createMicroservice(TestModule, {
    strategy,
    logger: ['error', 'warn'],
  });
  app.useGlobalFilters(new RpcErrorFilter());
  await app.listen();
  return app;
}

/** A workspace for one test. */
export const newWorkspace = () => ({ workspaceId: newKsuid(), createdBy: 'ada@example.com' });

/** The error of a call that must be refused. */
export const refusal = (sending: Promise<unknown>): Promise<AppError> =>
  sending.then(
    (reply) => Promise.reject(new Error(`was not refused: ${JSON.stringify(reply)}`)),
    (error: AppError) => error,
  );

/** The object as lists show it. */
export const untagged = <T extends { etag?: string | undefined }>({ etag: _, ...rest }: T): Omit<T, 'etag'> => rest;

export const KEEP = 'export function transformEvent(event) { return event; }';
export const THROW = 'export function transformEvent(event) { throw new Error("boom"); }';
