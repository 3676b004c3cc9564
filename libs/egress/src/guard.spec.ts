import { networkInterfaces } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { Guard, type GuardOptions, type ResolvedAddress } from './guard.js';
import { parseHttpTarget, parseSocketTarget } from './target.js';

const address = (text: string): ResolvedAddress => ({ address: text, family: text.includes(':') ? 6 : 4 });

/** A guard whose lookup knows only these names. */
function world(names: Record<string, string[]>, options: Partial<GuardOptions> = {}) {
  const lookups: string[] = [];
  const guard = new Guard({ allowCidrs: [], refuse: [], ...options }, async (host) => {
    lookups.push(host);
    const answers = names[host];
    if (!answers) throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
    return answers.map(address);
  });
  const http = (url: string) => guard.addressesFor(parseHttpTarget(url), 'http');
  const socket = (host: string, port: number) => guard.addressesFor(parseSocketTarget(host, port, false), 'socket');
  return { http, socket, lookups };
}

const BLOCKED = expect.objectContaining({ code: 'blocked', message: 'The address is not allowed', errno: undefined });

describe('the public internet', () => {
  const names = { 'ok.example.com': ['93.184.216.34', '2606:4700::1'] };

  it('is open for https on web ports, by name and by address', async () => {
    const { http } = world(names);
    await expect(http('https://ok.example.com/x')).resolves.toEqual(names['ok.example.com'].map(address));
    await expect(http('https://ok.example.com:8443')).resolves.toHaveLength(2);
    await expect(http('https://93.184.216.34')).resolves.toEqual([address('93.184.216.34')]);
    await expect(http('https://[2606:4700::1]')).resolves.toEqual([address('2606:4700::1')]);
  });

  it('is open for http when the operator says so', async () => {
    await expect(world(names).http('http://ok.example.com')).rejects.toEqual(BLOCKED);
    await expect(world(names, { allowHttp: true }).http('http://ok.example.com')).resolves.toHaveLength(2);
  });

  it.each(['168.63.129.16', '[::ffff:168.63.129.16]', '[64:ff9b::a83f:8110]', '169.254.169.254', '100.100.100.200'])(
    'does not hold the metadata service at %s, with http and beside open ranges too',
    async (host) => {
      const allowCidrs = ['168.63.0.0/16', '169.254.0.0/16', '100.64.0.0/10', '64:ff9b::/96'];
      for (const options of [{}, { allowHttp: true }, { allowHttp: true, allowCidrs }]) {
        const { http } = world({ 'meta.example.com': [host.replace(/[[\]]/g, '')] }, options);
        for (const url of [`http://${host}/`, `https://${host}/`, 'http://meta.example.com/']) {
          await expect(http(url)).rejects.toEqual(BLOCKED);
        }
      }
    },
  );

  it('holds a metadata service for an operator who names exactly that address', async () => {
    const { http } = world({}, { allowCidrs: ['169.254.169.254'] });
    await expect(http('http://169.254.169.254')).resolves.toHaveLength(1);
  });

  it.each([22, 25, 4222, 5432, 6379, 8080])('is closed at port %s for http, without a lookup', async (port) => {
    const { http, lookups } = world(names);
    await expect(http(`https://ok.example.com:${port}`)).rejects.toEqual(BLOCKED);
    expect(lookups).toEqual([]);
  });

  it('is open at any port for other protocols', async () => {
    await expect(world(names).socket('ok.example.com', 6379)).resolves.toHaveLength(2);
  });

  it('passes on that a public name does not exist', async () => {
    await expect(world({}).http('https://no.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});

describe('everything else', () => {
  it.each([
    'https://127.0.0.1',
    'https://2130706433',
    'https://0x7f.1',
    'https://0177.1',
    'https://0',
    'https://10.0.0.1',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]',
    'https://[::]',
    'https://[::ffff:127.0.0.1]',
    'https://[::ffff:8.8.8.8]',
    'https://[64:ff9b::7f00:1]',
    'https://[2002:7f00:1::]',
    'https://[2001::1]',
    'https://[fd00::1]',
    'https://localhost',
    'https://localhost.',
    'https://postgres',
    'https://redis.prod.svc',
    'https://redis.prod.svc.cluster.local.',
    'https://metadata.google.internal',
  ])('%s is blocked without a lookup', async (url) => {
    const { http, lookups } = world({ localhost: ['93.184.216.34'] });
    await expect(http(url)).rejects.toEqual(BLOCKED);
    expect(lookups).toEqual([]);
  });

  it.each([
    ['a private one', ['10.0.0.1']],
    ['a private one behind a public one', ['93.184.216.34', '127.0.0.1']],
    ['a mapped one', ['::ffff:10.0.0.1']],
    ['one with a zone', ['fe80::1%eth0']],
    ['something else than an address', ['2130706433']],
    ['nothing', []],
  ])('a name is blocked whose answer holds %s', async (_what, answers) => {
    await expect(world({ 'evil.example.com': answers }).http('https://evil.example.com')).rejects.toEqual(BLOCKED);
    await expect(world({ 'evil.example.com': answers }).socket('evil.example.com', 6379)).rejects.toEqual(BLOCKED);
  });
});

describe('an opened range', () => {
  const allowCidrs = ['127.0.0.0/8', 'fd00::/8'];

  it('is free of the rules on scheme, port and name', async () => {
    const { http, socket } = world({ localhost: ['127.0.0.1'], 'sink.svc': ['fd00::7'] }, { allowCidrs });
    await expect(http('http://127.0.0.1:9000')).resolves.toHaveLength(1);
    await expect(http('http://localhost:9000')).resolves.toHaveLength(1);
    await expect(http('http://sink.svc:8080')).resolves.toHaveLength(1);
    await expect(http('http://[::ffff:127.0.0.1]:9000')).resolves.toHaveLength(1);
    await expect(socket('localhost', 6379)).resolves.toHaveLength(1);
  });

  it('opens nothing beside itself', async () => {
    const names = {
      'a.example.com': ['127.0.0.1', '10.0.0.1'],
      'b.example.com': ['127.0.0.1', '93.184.216.34'],
      db: ['10.0.0.1'],
    };
    const { http } = world(names, { allowCidrs });
    await expect(http('https://10.0.0.1')).rejects.toEqual(BLOCKED);
    await expect(http('https://[::1]')).rejects.toEqual(BLOCKED);
    await expect(http('https://a.example.com')).rejects.toEqual(BLOCKED);
    await expect(http('https://b.example.com')).resolves.toHaveLength(2);
    await expect(http('http://b.example.com:9000')).rejects.toEqual(BLOCKED);
    await expect(http('https://db')).rejects.toEqual(BLOCKED);
  });

  it('does not make the guard tell which internal names exist', async () => {
    await expect(world({}, { allowCidrs }).http('https://db.svc')).rejects.toEqual(BLOCKED);
  });
});

describe("Weir's own services", () => {
  const everything = ['0.0.0.0/0', '::/0'];

  it('are refused by every address of the machine that they are on', async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const { socket, http } = world({ db: ['127.0.0.1'] }, { allowCidrs: everything, refuse: ['db:5432'] });
    const addresses = [
      '127.0.0.1',
      '127.0.0.2',
      '::1',
      '0.0.0.0',
      '::',
      '::ffff:127.0.0.1',
      ...own.map((each) => each.address),
    ];
    for (const host of addresses.filter((each) => !each.startsWith('fe80'))) {
      await expect(socket(host, 5432)).rejects.toEqual(BLOCKED);
    }
    await expect(http('http://db:5432')).rejects.toEqual(BLOCKED);
    await expect(socket('127.0.0.1', 5433)).resolves.toHaveLength(1);
  });

  it('are refused by the address that their name has now', async () => {
    const names: Record<string, string[]> = { 'db.svc': ['10.0.0.5'] };
    const { socket } = world(names, { allowCidrs: everything, refuse: ['db.svc:5432'] });
    await expect(socket('10.0.0.5', 5432)).rejects.toEqual(BLOCKED);
    await expect(socket('10.0.0.6', 5432)).resolves.toHaveLength(1);
    names['db.svc'] = ['10.0.0.6'];
    await expect(socket('10.0.0.6', 5432)).rejects.toEqual(BLOCKED);
  });

  it('close their port altogether while their name does not resolve', async () => {
    const { socket } = world({}, { allowCidrs: everything, refuse: ['db.svc:5432'] });
    await expect(socket('10.0.0.6', 5432)).rejects.toEqual(BLOCKED);
    await expect(socket('10.0.0.6', 5433)).resolves.toHaveLength(1);
  });

  it('must be given as host:port', () => {
    expect(() => world({}, { refuse: ['db'] })).toThrow('"db" is not host:port');
  });
});
