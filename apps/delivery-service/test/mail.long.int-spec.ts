import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { channelAad, TROUBLES } from '@weir/contracts';
import { newKsuid } from '@weir/service-kit';
import { until, useDatabase, useNats } from '@weir/testing';
import { SMTPServer } from 'smtp-server';
import { migrations } from '../src/migrations/index.js';
import { ChannelRepository } from '../src/notifications/channel.repository.js';
import { TroubleWatch } from '../src/notifications/trouble-watch.js';
import { type DeliveryScene, eachTestOn } from './delivery-scene.js';

const database = useDatabase('delivery', migrations);
const nats = useNats();
let scene: DeliveryScene;
eachTestOn(database, nats, (stage) => {
  ({ scene } = stage);
});

const USER = 'weir@example.com';
const PASSWORD = 'hush & hush';
const TO = ['ada@example.com', 'bob@example.com'];

interface Mail {
  from: string;
  to: string[];
  text: string;
  isEncrypted: boolean;
}

/** A mail server on this machine. It takes mail only from whoever signs in by TLS. */
async function mailServer(tls: { key: string; cert: string }, secure: boolean) {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    ...tls,
    secure,
    onAuth: ({ username, password }, _session, done) =>
      username === USER && password === PASSWORD
        ? done(null, { user: username })
        : done(Object.assign(new Error('Invalid username or password'), { responseCode: 535 })),
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.endsWith('@gone.example.com') ? Object.assign(new Error('No such user'), { responseCode: 550 }) : null,
      ),
    onData: (stream, { envelope, secure: isEncrypted }, done) => {
      let text = '';
      stream.setEncoding('utf8').on('data', (part) => (text += part));
      stream.on('end', () => {
        const from = envelope.mailFrom ? envelope.mailFrom.address : '';
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), text, isEncrypted });
        done();
      });
    },
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  server.on('error', () => undefined);
  const { port } = server.server.address() as AddressInfo;
  const url = (password: string) =>
    `${secure ? 'smtps' : 'smtp'}://${encodeURIComponent(USER)}:${encodeURIComponent(password)}@localhost:${port}`;
  return { mails, url, close: () => new Promise<void>((done) => server.close(done)) };
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
(hasOpenssl ? describe : describe.skip)('mail by a real server (needs openssl)', () => {
  const before = getCACertificates('default');
  let folder: string;
  let tls: { key: string; cert: string };
  let server: Awaited<ReturnType<typeof mailServer>>;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'weir-mail-'));
    const [key, cert] = ['key', 'cert'].map((name) => join(folder, name)) as [string, string];
    const request =
      'req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost';
    execFileSync('openssl', [...request.split(' '), '-keyout', key, '-out', cert], { stdio: 'ignore' });
    tls = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  });
  afterEach(async () => {
    await scene.stopDeliverers();
    await server.close();
    setDefaultCACertificates(before);
    await database.dataSource.query('TRUNCATE channels, troubles, notifications, open_breakers');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const channels = () => new ChannelRepository(database.dataSource);
  const health = async () => (await channels().list(scene.workspaceId))[0]?.health;
  async function channel(to: string[]) {
    const { workspaceId } = scene;
    const id = newKsuid();
    await channels().put({
      ...{ workspaceId, id, type: 'email', name: 'On call', enabled: true, kinds: [...TROUBLES], failingPercent: 50 },
      ...{
        quietHours: null,
        isNew: true,
        by: USER,
        sealedSettings: scene.sealer.seal({ to }, channelAad(workspaceId, id)),
      },
    });
    return id;
  }
  /** Starts what sends mail. `ca` is an authority that it trusts beside the usual ones, as NODE_EXTRA_CA_CERTS does. */
  async function start(options: { secure: boolean; ca?: boolean; password?: string }) {
    server = await mailServer(tls, options.secure);
    if (options.ca ?? true) setDefaultCACertificates([...before, tls.cert]);
    const env = { SMTP_URL: server.url(options.password ?? PASSWORD), SMTP_FROM: 'Weir <weir@example.com>' };
    return scene.startDeliverer(env);
  }

  it.each([
    ['by TLS from the beginning', true],
    ['by STARTTLS', false],
  ])('tells of trouble and of its end, to people who do not see each other: %s', async (_, secure) => {
    const destination = await scene.webhook('https://example.com/hook', { name: 'Shop\r\nBcc: eve@example.com' });
    await channel(TO);
    const app = await start({ secure });
    const watch = app.get(TroubleWatch, { strict: false });
    const toldAfter = (mails: number) =>
      until(`${mails} mails`, async () => {
        await watch.look({ goOn: () => true, confirm: async () => undefined });
        return server.mails.length >= mails;
      });
    await database.dataSource.query("INSERT INTO open_breakers VALUES ($1, $2, now() + interval '1 hour')", [
      ...[destination.id, scene.workspaceId],
    ]);
    await toldAfter(1);
    await database.dataSource.query('DELETE FROM open_breakers');
    await database.dataSource.query(`UPDATE troubles SET last_at = last_at - interval '2 hours'`);
    await toldAfter(2);
    const [opened, resolved] = server.mails as [Mail, Mail];
    for (const mail of [opened, resolved]) {
      expect(mail).toMatchObject({ from: USER, to: TO, isEncrypted: true });
      const [head = ''] = mail.text.split('\r\n\r\n');
      expect(head).toMatch(/^From: Weir <weir@example\.com>\r$/m);
      expect(head).toMatch(/^Subject: \[Weir\] /m);
      expect(head).not.toMatch(/^Bcc:/m);
      for (const hidden of [...TO, PASSWORD]) expect(mail.text).not.toContain(hidden);
    }
    expect(opened.text).toContain('counts as down');
    expect(resolved.text).not.toContain('counts as down');
    expect(await health()).toMatchObject({ waiting: 0 });
  });

  it.each([
    ['a wrong password', { secure: true, password: 'another' }, TO, 'The mail server answered 535'],
    ['an address that it does not know', { secure: true }, ['eve@gone.example.com'], 'The mail server answered 550'],
    ['a certificate that nobody vouches for', { secure: true, ca: false }, TO, 'The mail server cannot be used'],
    ['such a certificate after STARTTLS', { secure: false, ca: false }, TO, 'The mail server cannot be used'],
  ])('the channel says why nothing was sent: %s', async (_, options, to, why) => {
    const id = await channel(to);
    await start(options);
    await channels().test(scene.workspaceId, id);
    const found = await until('the reason', async () => (await health())?.lastError);
    expect(JSON.stringify(found)).toContain(why);
    expect(JSON.stringify(found)).not.toContain(PASSWORD);
    expect(server.mails).toEqual([]);
  });
});
