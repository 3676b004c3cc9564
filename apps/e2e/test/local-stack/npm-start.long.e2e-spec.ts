import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { freePort, startNats, startPostgres } from '@weir/local-servers';
import { until } from '@weir/testing';
import { isRunning, type Launcher, pidsOf, startLauncher, untilReady } from './launcher.js';
import { entryOf, makeStandIns, type StandIns } from './stand-ins.js';

describe('npm start', () => {
  let standIns: StandIns;
  let dataDir: string;
  let port: number;
  const launchers: Launcher[] = [];

  beforeAll(async () => {
    standIns = makeStandIns();
    dataDir = mkdtempSync(join(tmpdir(), 'weir-npm-start-'));
    port = await freePort();
  });
  afterAll(async () => {
    await endAll();
    rmSync(dataDir, { recursive: true, force: true });
    rmSync(standIns.appsDir, { recursive: true });
  });

  const endAll = async () => {
    for (const launcher of launchers.splice(0)) {
      launcher.signal('SIGTERM');
      await launcher.exited;
    }
  };

  const start = (env: Record<string, string> = {}) => {
    const launcher = startLauncher(standIns, { PORT: String(port), WEIR_DATA_DIR: dataDir, ...env });
    launchers.push(launcher);
    return launcher;
  };
  const seen = (process: string) => JSON.parse(readFileSync(`${entryOf(standIns.appsDir, process)}.seen.json`, 'utf8'));
  const tokenIn = (launcher: Launcher) => launcher.output().match(/Access token\s+(weir_\S+)/)?.[1];

  const expectLoopback = (launcher: Launcher) => {
    const printed = [...launcher.output().matchAll(/^ {2}(\S+) {2,}(HTTP|PostgreSQL|NATS|metrics of .+)$/gm)];
    const [wheres, whats] = [printed.map(([, where = '']) => where), printed.map(([, , what]) => what)];
    const metrics = PROCESSES.map((process) => `metrics of ${process}`);
    expect(whats.sort()).toEqual(['HTTP', 'PostgreSQL', 'NATS', ...metrics].sort());
    expect(wheres.filter((where) => !/^127\.0\.0\.1:\d+$/.test(where))).toEqual([]);
    const hosts = PROCESSES.map((process) => [process, seen(process).env.OPS_HOST, seen(process).env.HOST]);
    expect(hosts).toEqual(
      PROCESSES.map((process) => [process, undefined, process === 'gateway.main' ? '127.0.0.1' : undefined]),
    );
  };

  /** The supervisor of user code gets its credentials only through a descriptor. */
  const expectHiddenCredentials = () => {
    const { env, descriptor } = seen('code-sandbox.main');
    expect(descriptor).toMatch(/^nats:\/\/sandbox:[^@]+@127\.0\.0\.1:\d+$/);
    expect(JSON.stringify(env)).not.toContain(new URL(descriptor).password);
    expect(env).not.toHaveProperty('NATS_URL');
  };

  const sentenceOf = async (launcher: Launcher) => {
    expect(await launcher.exited).toBe(1);
    const lines = launcher.output().trim().split('\n');
    expect(lines).toHaveLength(1);
    return lines[0];
  };

  async function expectOrderlyEnd(launcher: Launcher, signal: NodeJS.Signals): Promise<void> {
    const pids = [...pidsOf(dataDir).values()];
    launcher.signalGroup(signal);
    // 0 means that everything ended in order and in time. The launcher's own checks of both exit with 1.
    expect(await launcher.exited).toBe(0);
    expect(launcher.output()).toContain(`Stopping. The data stays in ${dataDir}.`);
    expect(pids.filter(isRunning)).toEqual([]);
    expect(existsSync(join(dataDir, 'postgres/postmaster.pid'))).toBe(false);
  }

  /** Each start takes seconds, so the tests of one data directory follow each other. */
  describe('on one data directory', () => {
    let launcher: Launcher;
    let token: string | undefined;
    let key: string;

    it('starts two servers and every process on loopback alone, and prints every address that it binds', async () => {
      launcher = start();
      await untilReady(launcher);
      expect([...pidsOf(dataDir).keys()].sort()).toEqual(['nats-server', 'postgres', ...PROCESSES].sort());
      expect(launcher.output()).toContain(`http://127.0.0.1:${port}`);
      const { env } = seen('gateway.main');
      [token, key] = [tokenIn(launcher), env.WEIR_ENCRYPTION_KEY];
      expect(token).toBe(env.BOOTSTRAP_ACCESS_TOKEN);
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('hello');
      expectLoopback(launcher);
      expectHiddenCredentials();
    });

    it('says so when another launcher has the directory', async () => {
      const second = start({ PORT: String(await freePort()) });
      expect(await sentenceOf(second)).toMatch(`in use by another launcher (pid ${launcher.pid})`);
    });

    it('ends everything on SIGTERM to the whole group', () => expectOrderlyEnd(launcher, 'SIGTERM'));

    it('keeps data and credentials for the next start, and opens the API alone to others when HOST says so', async () => {
      launcher = start({ HOST: '0.0.0.0' });
      await untilReady(launcher);
      expect(tokenIn(launcher)).toBe(token);
      expect(seen('gateway.main').env.WEIR_ENCRYPTION_KEY).toBe(key);
      expect(existsSync(join(dataDir, 'postgres/PG_VERSION'))).toBe(true);
      const [, listens = ''] = launcher.output().split('It listens on');
      expect(listens).toMatch(new RegExp(`^ {2}0\\.0\\.0\\.0:${port} +HTTP$`, 'm'));
      expect(listens.match(/0\.0\.0\.0/g)).toHaveLength(1);
      expect(launcher.output()).toMatch(new RegExp(`^ {2}API +http://127\\.0\\.0\\.1:${port}$`, 'm'));
    });

    it('ends everything on SIGINT to the whole group', () => expectOrderlyEnd(launcher, 'SIGINT'));

    it('ends an unfinished start on SIGINT', async () => {
      launcher = start();
      await until('the database', () => existsSync(join(dataDir, 'records/postgres.json')));
      launcher.signalGroup('SIGINT');
      expect(await launcher.exited).toBe(0);
      expect(pidsOf(dataDir).size).toBe(0);
    });

    it('starts servers and processes again when they are killed', async () => {
      launcher = start();
      await untilReady(launcher);
      for (const name of ['gateway.main', 'code-sandbox.main', 'nats-server', 'postgres']) {
        const killed = pidsOf(dataDir).get(name) ?? 0;
        process.kill(killed, 'SIGKILL');
        const successor = await until(`another ${name}`, () => {
          const pid = pidsOf(dataDir).get(name);
          return pid !== killed ? pid : undefined;
        });
        await until('the API', async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => undefined))?.ok);
        expect(isRunning(successor)).toBe(true);
      }
    });

    it('leaves nothing behind when it is killed, and starts again', async () => {
      const pids = [...pidsOf(dataDir).values()];
      launcher.signal('SIGKILL');
      await until('everything to end', () => !pids.some(isRunning));
      launcher = start();
      await untilReady(launcher);
      expect(tokenIn(launcher)).toBe(token);
    });

    it('starts at once after a kill of its whole group', async () => {
      launcher.signalGroup('SIGKILL');
      await launcher.exited;
      await untilReady(start());
      await endAll();
    });
  });

  it("uses the operator's own servers when they are named", async () => {
    const folder = join(dataDir, 'own');
    mkdirSync(folder);
    const [database, broker] = await Promise.all([startPostgres(folder), startNats(folder)]);
    try {
      const launcher = start({ DATABASE_URL: database.url, NATS_URL: broker.url });
      await untilReady(launcher);
      expect([...pidsOf(dataDir).keys()].sort()).toEqual([...PROCESSES].sort());
      const { env } = seen('gateway.main');
      expect(new URL(env.DATABASE_URL)).toMatchObject({
        host: new URL(database.url).host,
        username: 'postgres_gateway',
      });
      expect(env.NATS_URL).toBe(broker.url);
      launcher.signal('SIGTERM');
      await launcher.exited;
    } finally {
      await Promise.all([database.server.stop(3_000), broker.server.stop(3_000)]);
    }
  });

  describe('says what is wrong in one sentence and exits with 1', () => {
    it('when the port is in use', async () => {
      const holder = createServer().listen(port);
      expect(await sentenceOf(start())).toMatch(`Port ${port} is in use`);
      holder.close();
    });

    it('when the address is none of this machine', async () => {
      expect(await sentenceOf(start({ HOST: '203.0.113.1' }))).toMatch('HOST is "203.0.113.1", which cannot be bound');
    });

    it('when the database cannot be reached', async () => {
      const nobody = `postgres://nobody@127.0.0.1:${await freePort()}/weir`;
      expect(await sentenceOf(start({ DATABASE_URL: nobody }))).toMatch(/ECONNREFUSED.*DATABASE_URL/);
    });

    it('when the broker cannot be reached', async () => {
      const nowhere = `nats://127.0.0.1:${await freePort()}`;
      expect(await sentenceOf(start({ NATS_URL: nowhere }))).toMatch('No NATS server answers');
    });

    it('when a setting makes no sense', async () => {
      expect(await sentenceOf(start({ WEIR_NATS_SYNC_INTERVAL: 'often' }))).toMatch(
        'WEIR_NATS_SYNC_INTERVAL is "often"',
      );
    });
  });
});
