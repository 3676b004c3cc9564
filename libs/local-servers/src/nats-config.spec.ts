import { describe, expect, it } from '@jest/globals';
import { natsConfig } from './nats-config.js';

const options = {
  port: 4999,
  storeDir: '/data/nats "x"',
  password: 'secret-a',
  userPasswords: { sandbox: 'secret-b' },
};

describe('natsConfig', () => {
  it('listens on loopback only and quotes its paths', () => {
    const text = natsConfig(options);
    expect(text).toContain('listen: "127.0.0.1:4999"');
    expect(text).toContain('store_dir: "/data/nats \\"x\\""');
  });

  it('allows user code to answer its calls and to ask for a fetch, and nothing else', () => {
    const users = JSON.parse(natsConfig(options).match(/^authorization: (.*)$/m)?.[1] ?? '{}').users;
    expect(users[0]).toEqual({ user: 'weir', password: 'secret-a' });
    expect(users.find(({ user }: { user: string }) => user === 'sandbox')).toEqual({
      user: 'sandbox',
      password: 'secret-b',
      permissions: {
        subscribe: [
          'sandbox.code.check.v1',
          'sandbox.code.run.v1',
          'sandbox.code.switched.v1',
          'ops.code-sandbox-main.health.v1',
          'ops.process.report.v1',
          '_INBOX_sandbox.>',
        ],
        publish: ['runner.fetch.v1'],
        allow_responses: true,
      },
    });
  });

  it('names itself and finds the others in a cluster', () => {
    const text = natsConfig({ ...options, cluster: { serverName: 'nats-server-2', port: 5002, peers: [5001, 5002] } });
    expect(text).toContain('server_name: "nats-server-2"');
    expect(JSON.parse(text.match(/^cluster: (.*)$/m)?.[1] ?? '')).toEqual({
      ...{ name: 'weir', listen: '127.0.0.1:5002' },
      routes: ['nats://127.0.0.1:5001', 'nats://127.0.0.1:5002'],
    });
  });

  it('can keep the addresses of the others to itself, so that every connection takes the given way', () => {
    const cluster = { serverName: 'nats-server-2', port: 5002, peers: [6001, 5002], isSecretive: true };
    const text = natsConfig({ ...options, cluster });
    expect(JSON.parse(text.match(/^cluster: (.*)$/m)?.[1] ?? '')).toMatchObject({
      ...{ routes: ['nats://127.0.0.1:6001', 'nats://127.0.0.1:5002'] },
      ...{ no_advertise: true, advertise: '127.0.0.1:1' },
    });
  });

  it('leaves how often it syncs to the server unless told', () => {
    expect(natsConfig(options)).not.toContain('sync_interval');
    expect(natsConfig({ ...options, syncInterval: 'always' })).toContain('  sync_interval: "always"');
  });
});
