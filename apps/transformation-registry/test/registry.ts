import 'reflect-metadata';
import { afterAll, beforeAll } from '@jest/globals';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AppError, Call, ReplyOf, RequestInputOf } from '@weir/contracts';
import { NATS, RpcErrorFilter, RpcServer } from '@weir/messaging';
import { newKsuid } from '@weir/service-kit';
import { PatientRpcClient, type ServiceProcess, startProcess, until, useDatabase, useNats } from '@weir/testing';
import { readConfig } from '../src/config.js';
import { RegistryModule } from '../src/registry.module.js';
import { SCHEMA } from '../src/schema.js';

let used: ReturnType<typeof newRegistry> | undefined;

/** The registry of the test file, which all its cases share: with a database, a broker and a real sandbox. */
export function useRegistry(): ReturnType<typeof newRegistry> {
  used ??= newRegistry();
  return used;
}

function newRegistry() {
  let app: INestMicroservice | undefined;
  let sandbox: ServiceProcess | undefined;
  // Hooks run in the order of their definition. This one must run before the database and the broker stop.
  afterAll(async () => {
    await app?.close();
    await sandbox?.stop();
  });
  const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
  const nats = useNats();
  const startSandbox = async () => {
    const env = { NATS_URL: nats.url, LOG_LEVEL: 'warn', SANDBOX_CHILDREN: '4' };
    sandbox = await startProcess('code-sandbox.main', env);
  };
  beforeAll(async () => {
    await startSandbox();
    app = await startRegistry(nats.url, database.url);
  });
  return {
    database,
    nats,
    startSandbox,
    stopSandbox: async () => sandbox?.stop(),
    /** Asks again where a caller has to: a busy machine is slow to start and to run the children of a sandbox. */
    send: <C extends Call>(call: C, request: RequestInputOf<C>): Promise<ReplyOf<C>> =>
      until(`an answer to ${call.subject}`, () =>
        new PatientRpcClient(nats.connection).send(call, request).catch((error: AppError) => {
          if (!/The sandbox is busy|The tests took too long/.test(error.message)) throw error;
          return undefined;
        }),
      ),
  };
}

async function startRegistry(natsUrl: string, url: string): Promise<INestMicroservice> {
  const config = readConfig({ NATS_URL: natsUrl, DATABASE_URL: url });
  const strategy = new RpcServer(() => app.get(NATS, { strict: false }), 'transformation-registry');
  const app: INestMicroservice = await NestFactory.createMicroservice(RegistryModule.register(config), {
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

export const KEEP = 'export function transformEvent(event) { return event; }';
export const THROW = 'export function transformEvent(event) { throw new Error("boom"); }';
