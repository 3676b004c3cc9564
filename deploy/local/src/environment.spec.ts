import { describe, expect, it } from '@jest/globals';
import { PROCESSES, type ProcessName } from '@weir/contracts';
import { environmentOf, natsUrlOf, type StackFacts } from './environment.js';

const facts: StackFacts = {
  operator: { PATH: '/bin', GATEWAY_PLANES: 'data', AWS_SECRET_ACCESS_KEY: 'operator-secret', DATABASE_POOL_MAX: '5' },
  databaseUrls: {
    gateway: 'db-of-gateway',
    registry: 'db-of-registry',
    regulation: 'db-of-regulation',
    runner: 'db-of-runner',
    delivery: 'db-of-delivery',
    schemas: 'db-of-schemas',
  },
  natsUrls: { gateway: 'broker-as-gateway', fetcher: 'broker-as-fetcher', sandbox: 'broker-as-sandbox' },
  encryptionKey: 'the-key',
  regulationPepper: 'the-pepper',
  schemaPepper: 'another-pepper',
  receiptKey: 'the-receipt-key',
  egressAllowCidrs: '127.0.0.0/8',
  egressRefuse: ['127.0.0.1:5432', '127.0.0.1:4222'],
  gateway: {
    admin: { user: 'admin', password: 'admin-password' },
    bootstrap: { email: 'ada@example.com', accessToken: 'the-token' },
    readyScope: 'all',
  },
  logLevel: 'warn',
};

const withVariable = (name: string) => PROCESSES.filter((process) => name in environmentOf(process, facts));

describe('environmentOf', () => {
  it('gives the encryption key to those that open destination configurations', () => {
    expect(withVariable('WEIR_ENCRYPTION_KEY')).toEqual([
      'gateway.main',
      'regulation-service.eraser',
      'test-runner.main',
      'delivery-service.deliverer',
    ]);
  });

  it('gives the key of receipts to the one that signs them', () => {
    expect(withVariable('REGULATION_RECEIPT_KEY')).toEqual(['regulation-service.main']);
  });

  it.each<[ProcessName, string | undefined]>([
    ['gateway.main', 'db-of-gateway'],
    ['regulation-service.filter', 'db-of-regulation'],
    ['schema-service.collector', 'db-of-schemas'],
    ['delivery-service.deliverer', 'db-of-delivery'],
    ['delivery-service.fetcher', undefined],
    ['code-sandbox.main', undefined],
  ])('connects %s to %s', (process, url) => {
    expect(environmentOf(process, facts)['DATABASE_URL']).toBe(url);
  });

  it.each<ProcessName>(['gateway.main', 'test-runner.main'])(
    'gives %s the options of Node that the operator set',
    (process) => {
      const operator = { ...facts.operator, NODE_OPTIONS: '--trace-warnings' };
      expect(environmentOf(process, { ...facts, operator })['NODE_OPTIONS']).toBe('--trace-warnings');
    },
  );

  it('gives the supervisor of user code nothing but the number of a descriptor', () => {
    expect(environmentOf('code-sandbox.main', facts)).toEqual({
      PATH: '/bin',
      LOG_LEVEL: 'warn',
      NATS_CREDENTIALS_FD: '3',
    });
  });

  it('gives each process the user of the broker that is its own', () => {
    expect(environmentOf('gateway.main', facts)['NATS_URL']).toBe('broker-as-gateway');
    expect(environmentOf('delivery-service.fetcher', facts)['NATS_URL']).toBe('broker-as-fetcher');
    expect(natsUrlOf('code-sandbox.main', facts)).toBe('broker-as-sandbox');
  });

  it('keeps each pepper in its service and the credentials of people in the gateway', () => {
    expect(withVariable('REGULATION_PEPPER').every((process) => process.startsWith('regulation-service.'))).toBe(true);
    expect(withVariable('SCHEMA_PEPPER')).toEqual(['schema-service.main', 'schema-service.collector']);
    expect(withVariable('SERVICE_ADMIN_PASSWORD')).toEqual(['gateway.main']);
    expect(withVariable('BOOTSTRAP_ACCESS_TOKEN')).toEqual(['gateway.main']);
  });

  it('opens and closes addresses for those that call out', () => {
    expect(withVariable('EGRESS_REFUSE')).toEqual(withVariable('EGRESS_ALLOW_CIDRS'));
    expect(environmentOf('delivery-service.fetcher', facts)).toMatchObject({
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      EGRESS_REFUSE: '127.0.0.1:5432,127.0.0.1:4222',
    });
  });

  it('passes on a setting to the app that knows it, and nothing else of the operator', () => {
    expect(withVariable('GATEWAY_PLANES')).toEqual(['gateway.main']);
    expect(withVariable('AWS_SECRET_ACCESS_KEY')).toEqual([]);
    expect(environmentOf('schema-service.main', facts)['DATABASE_POOL_MAX']).toBe('5');
  });

  it('gives an address to the process that listens', () => {
    const address = { host: '127.0.0.1', port: 8081 };
    expect(environmentOf('gateway.main', facts, address)).toMatchObject({ HOST: '127.0.0.1', PORT: '8081' });
    for (const name of ['HOST', 'PORT']) expect(environmentOf('schema-service.main', facts)).not.toHaveProperty(name);
  });
});
