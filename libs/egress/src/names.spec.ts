import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type NameAnswer, type NameServer, nameServer, PATIENCE_MS } from '@weir/testing';
import { Egress } from './egress.js';
import { NameResolver, parseNameServers } from './names.js';

const NOT_FOUND = { name: 'EgressError', code: 'dns', errno: 'ENOTFOUND' };
const NOT_KNOWN = { name: 'EgressError', code: 'dns', errno: 'EAI_AGAIN' };
const range = (to: number) => Array.from({ length: to }, (_, n) => n);

let folder: string;
let zone: Record<string, NameAnswer>;
let server: NameServer;
let clock: number;
let names: NameResolver;
const file = (name: string) => join(folder, name);

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'weir-names-'));
  zone = { 'ok.example.com': ['192.0.2.1', '192.0.2.2'], 'broken.example.com': 'broken' };
  server = await nameServer((name) => (name.startsWith('silent') ? 'silent' : (zone[name] ?? 'missing')), 30);
  clock = 1_000;
  names = resolver();
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const resolver = () =>
  new NameResolver({
    servers: [server.address],
    files: { hosts: file('hosts'), resolvConf: file('resolv.conf') },
    now: () => clock,
  });
const lookup = async (host: string, { owner = 'me', search = false, by = names } = {}) =>
  (await by.lookup(host, { owner, search })).map(({ address }) => address);

describe('a name', () => {
  it('is asked for once, remembered for as long as its record says, and asked for anew', async () => {
    const all = await Promise.all(range(20).map(() => lookup('ok.example.com')));
    expect(all).toEqual(range(20).map(() => ['192.0.2.1', '192.0.2.2']));
    zone['ok.example.com'] = ['192.0.2.3'];
    clock = 30_999;
    expect(await lookup('ok.example.com')).toHaveLength(2);
    expect(server.asked).toEqual(['ok.example.com', 'ok.example.com']); // both families
    clock = 31_001;
    expect(await lookup('ok.example.com')).toEqual(['192.0.2.3']);
  });

  it('that does not exist is remembered for a moment', async () => {
    await expect(lookup('no.example.com')).rejects.toMatchObject(NOT_FOUND);
    await expect(lookup('no.example.com')).rejects.toMatchObject(NOT_FOUND);
    expect(server.asked).toHaveLength(2);
    zone['no.example.com'] = ['192.0.2.3'];
    clock = 11_001;
    expect(await lookup('no.example.com')).toEqual(['192.0.2.3']);
  });

  it('that can exist nowhere is not asked for', async () => {
    await expect(lookup('no.invalid')).rejects.toMatchObject(NOT_FOUND);
    expect(server.asked).toEqual([]);
  });

  it('that nobody answers for fails, is remembered for a moment, and is no answer about the name', async () => {
    await expect(lookup('broken.example.com')).rejects.toMatchObject(NOT_KNOWN);
    await expect(lookup('silent.example.com')).rejects.toMatchObject(NOT_KNOWN);
    const asked = server.asked.length;
    await expect(lookup('silent.example.com')).rejects.toMatchObject(NOT_KNOWN);
    expect(server.asked).toHaveLength(asked);
  });

  it('is forgotten when there are too many, the first learnt first', async () => {
    await lookup('ok.example.com');
    // in groups, because datagrams are dropped when the buffer is full
    for (const first of range(128)) {
      await Promise.all(range(32).map((n) => lookup(`n${first}-${n}.example.com`).catch(() => undefined)));
    }
    const asked = server.asked.length;
    await lookup('n127-31.example.com').catch(() => undefined);
    expect(server.asked).toHaveLength(asked);
    await lookup('ok.example.com');
    expect(server.asked.length).toBeGreaterThan(asked);
  });
});

describe('the files of the system', () => {
  it('come before any name server, whatever the case, and are read again', async () => {
    writeFileSync(
      file('hosts'),
      '192.0.2.9 Sink.Internal other # comment\nfd00::9\tsink.internal\nnonsense sink.internal\n',
    );
    expect(await lookup('sink.internal')).toEqual(['192.0.2.9', 'fd00::9']);
    expect(await lookup('other')).toEqual(['192.0.2.9']);
    expect(await lookup('localhost')).toEqual(['127.0.0.1', '::1']);
    expect(server.asked).toEqual([]);
    expect(await lookup('other', { by: resolver() })).toEqual(['192.0.2.9']);
  });

  it.each([
    ['options ndots:5\nsearch ns.svc.example. svc.example', ['db.ns.svc.example', 'db.svc.example']],
    ['domain svc.example', ['db.svc.example']],
    ['search gone.example\nsearch svc.example\noptions ndots:0', ['db', 'db.svc.example']],
    ['', ['db']],
  ])('name the domains of a name that is known inside only: %j', async (text, asked) => {
    writeFileSync(file('resolv.conf'), text);
    zone['db.svc.example'] = ['10.0.0.5'];
    await lookup('db', { search: true }).catch(() => undefined);
    expect([...new Set(server.asked)]).toEqual(asked);
    server.asked.length = 0;
    await lookup('db').catch(() => undefined);
    expect([...new Set(server.asked)]).toEqual(['db']);
  });

  it('may be missing', async () => {
    expect(await lookup('ok.example.com', { search: true })).toHaveLength(2);
  });
});

describe('silent names', () => {
  it('hold up no other owner', async () => {
    let settled = 0;
    const silent = range(400).map((n) =>
      lookup(`silent${n}.example.com`, { owner: 'attacker' }).catch(() => {
        settled += 1;
      }),
    );
    // Queued behind the silent names of the first owner. Other owners do not wait for that.
    const queued = lookup('ok.example.com', { owner: 'attacker' });
    expect(await lookup('ok.example.com', { owner: 'neighbour' })).toHaveLength(2);
    expect(settled).toBe(0);
    await Promise.all([...silent, queued.catch(() => undefined)]);
    expect(settled).toBe(400);
  });

  it('hold up no other client', async () => {
    const silent = range(8).map((n) => `silent${n}.example.com`);
    const [one, other] = [0, 1].map(() => new Egress({ allowCidrs: [], refuse: [], names }));
    const waiting = range(40).map((n) =>
      one?.connect({ host: silent[n % 8] ?? '', port: 443, timeoutMs: PATIENCE_MS }).catch(({ code }) => code),
    );
    // Found but refused, because its address is in a documentation range.
    const found = other?.connect({ host: 'ok.example.com', port: 443, timeoutMs: PATIENCE_MS });
    await expect(Promise.race([found, ...waiting])).rejects.toMatchObject({ code: 'blocked' });
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['dns']));
  });
});

describe('parseNameServers', () => {
  it('reads addresses with and without a port', () => {
    const text = '10.0.0.53, 127.0.0.1:5353 ,fd00::53,[fd00::53]:53';
    expect(parseNameServers(text)).toEqual(['10.0.0.53', '127.0.0.1:5353', 'fd00::53', '[fd00::53]:53']);
    expect(parseNameServers('')).toEqual([]);
  });

  it.each(['dns.example.com', '10.0.0.53:0', '10.0.0.53:70000', '10.0.0:53', '[10.0.0.53', '[x]:53'])(
    'refuses %j by name',
    (text) => expect(() => parseNameServers(text)).toThrow(`"${text}" is not a name server`),
  );
});
