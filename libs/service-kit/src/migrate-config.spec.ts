import { describe, expect, it } from '@jest/globals';
import { readMigrateConfig } from './config.js';

const REQUIRED = { NATS_URL: 'nats://host', DATABASE_URL: 'postgres://host/db' };

describe('the configuration of a migration', () => {
  it('keeps one copy of a gigabyte when nothing is said', () => {
    expect(readMigrateConfig(REQUIRED)).toEqual({
      url: 'postgres://host/db',
      natsUrl: 'nats://host',
      topology: { replicas: 1, streamBytesMax: 1_073_741_824 },
    });
  });

  it('takes copies and size from the environment', () => {
    const read = readMigrateConfig({ ...REQUIRED, STREAM_REPLICAS: '3', STREAM_BYTES_MAX: '53687091200' });
    expect(read.topology).toEqual({ replicas: 3, streamBytesMax: 53_687_091_200 });
  });

  it.each([{ STREAM_REPLICAS: '0' }, { STREAM_REPLICAS: 'three' }, { STREAM_BYTES_MAX: '1' }])(
    'refuses %j',
    (wrong) => {
      expect(() => readMigrateConfig({ ...REQUIRED, ...wrong })).toThrow(Object.keys(wrong)[0]);
    },
  );
});
