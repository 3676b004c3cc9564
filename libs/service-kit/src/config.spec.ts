import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  baseEnv,
  databaseEnv,
  loadConfig,
  readMigrateConfig,
  readTracesConfig,
  secretKey,
  sendsTraces,
} from './config.js';

const schema = z.object({ ...baseEnv, ...databaseEnv, KEY: secretKey });
const key = Buffer.alloc(32).toString('base64');
const complete = { NATS_URL: 'nats://localhost', DATABASE_URL: 'postgres://localhost/x', KEY: key };

describe('loadConfig', () => {
  it('fills in defaults and freezes', () => {
    const config = loadConfig(schema, complete);
    expect(config).toEqual({
      ...complete,
      LOG_LEVEL: 'info',
      OPS_HOST: '127.0.0.1',
      DATABASE_POOL_MAX: 10,
      DATABASE_DURABILITY: 'single',
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('names every problem at once and shows no value', () => {
    const broken = () => loadConfig(schema, { DATABASE_URL: 'postgres://u:hush@h/x', KEY: 'hush', OPS_PORT: 'hush' });
    expect(broken).toThrow(/NATS_URL[\s\S]*OPS_PORT[\s\S]*KEY/);
    expect(broken).not.toThrow(/hush/);
  });
});

describe('readTracesConfig', () => {
  it('is off unless it is told where traces go', () => {
    expect(sendsTraces({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' })).toBe(true);
    for (const env of [{}, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }]) {
      expect(sendsTraces(env)).toBe(false);
    }
  });

  it('refuses what OpenTelemetry does not know', () => {
    expect(() => readTracesConfig({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(/OTEL_TRACES_SAMPLER/);
    expect(() => readTracesConfig({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/OTEL_TRACES_SAMPLER_ARG/);
    expect(() => readTracesConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
  });
});

const REQUIRED = { NATS_URL: 'nats://host', DATABASE_URL: 'postgres://host/db' };

describe('the configuration of a migration', () => {
  it('keeps one copy of a gigabyte and no archive when nothing is said', () => {
    expect(readMigrateConfig(REQUIRED)).toEqual({
      url: 'postgres://host/db',
      natsUrl: 'nats://host',
      topology: { replicas: 1, streamBytesMax: 1_073_741_824, archive: false },
    });
  });

  it('takes copies, size and archive from the environment', () => {
    const given = { STREAM_REPLICAS: '3', STREAM_BYTES_MAX: '53687091200', ARCHIVE_BUCKET: 'events' };
    const { topology } = readMigrateConfig({ ...REQUIRED, ...given });
    expect(topology).toEqual({ replicas: 3, streamBytesMax: 53_687_091_200, archive: true });
  });

  it.each([{ STREAM_REPLICAS: '0' }, { STREAM_REPLICAS: 'three' }, { STREAM_BYTES_MAX: '1' }])(
    'refuses %j',
    (wrong) => {
      expect(() => readMigrateConfig({ ...REQUIRED, ...wrong })).toThrow(Object.keys(wrong)[0]);
    },
  );
});
