import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from '@jest/globals';
import { headers } from '@nats-io/transport-node';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { INVENTORY_BUCKET, type InventoryObjectType, inventoryKey } from '@weir/contracts';
import { PATIENCE_MS, type TestDatabase, type TestNats, useDatabase, useNats } from '@weir/testing';
import { createApp, entities } from '../src/app.module.js';
import { readConfig } from '../src/config.js';
import { migrations } from '../src/migrations/index.js';

export const ADMIN = { user: 'operator', password: 'operator-password' };
export const TOKEN = 'bootstrap-token-of-this-test';
export const EMAIL = 'owner@example.com';

type Env = Record<string, string>;

/** The client's own patience is a second, which a busy machine exceeds. */
const PATIENT = { timeout: PATIENCE_MS };

export interface RunningGateway {
  readonly database: TestDatabase;
  readonly nats: TestNats;
  readonly app: NestFastifyApplication;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  /** Puts a record into the INVENTORY bucket, as another gateway would. */
  put(objectType: InventoryObjectType, record: { id: string }): Promise<void>;
  /** Removes a record from the bucket in the same way. */
  remove(objectType: InventoryObjectType, id: string): Promise<void>;
}

/** A whole gateway in this process, with its own database and broker per test file. A function names what is known only in hooks. */
export function useGateway(env: Env | (() => Env) = {}): RunningGateway {
  let app: NestFastifyApplication | undefined;
  let url = '';
  // Before the hooks that remove its resources: Jest runs them in this order.
  afterAll(() => app?.close());
  const database = useDatabase('gateway', migrations, entities);
  const nats = useNats();
  beforeAll(async () => {
    const given = typeof env === 'function' ? env() : env;
    ({ app, url } = await startGateway({ DATABASE_URL: database.url, NATS_URL: nats.url, ...given }));
  });
  return {
    database,
    nats,
    get app() {
      if (!app) throw new Error('the gateway is there once beforeAll has run');
      return app;
    },
    get url() {
      return url;
    },
    put: async (objectType, record) => {
      await nats.connection.request(subjectOf(objectType, record.id), JSON.stringify(record), PATIENT);
    },
    remove: async (objectType, id) => {
      const deletion = headers();
      deletion.set('KV-Operation', 'DEL');
      await nats.connection.request(subjectOf(objectType, id), undefined, { ...PATIENT, headers: deletion });
    },
  };
}

/** A gateway in this process, for a test that starts it again. The test closes it. */
export async function startGateway(env: Env) {
  const { app, privatePort } = await createApp(readConfig({ ...baseEnv(), ...env }));
  await app.listen(0, '127.0.0.1');
  return { app, privatePort, url: (await app.getUrl()).replace('[::1]', '127.0.0.1') };
}

const subjectOf = (objectType: InventoryObjectType, id: string) =>
  `$KV.${INVENTORY_BUCKET}.${inventoryKey(objectType, id)}`;

const baseEnv = () => ({
  LOG_LEVEL: 'fatal',
  WEIR_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  SERVICE_ADMIN_USER: ADMIN.user,
  SERVICE_ADMIN_PASSWORD: ADMIN.password,
  BOOTSTRAP_EMAIL: EMAIL,
  BOOTSTRAP_ACCESS_TOKEN: TOKEN,
});
