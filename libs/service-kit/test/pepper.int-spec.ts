import { beforeAll, expect, it } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { Pepper, PepperGuard } from '../src/pepper.js';

const database = useDatabase('regulation', []);
const pepperOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');

const start = (pepper: string) =>
  new PepperGuard(database.dataSource, new Pepper(pepper), {
    ...{ schema: 'regulation', variable: 'REGULATION_PEPPER', harm: 'nobody would be known' },
  }).onModuleInit();

beforeAll(async () => {
  await database.dataSource.run(
    'CREATE TABLE pepper_fingerprint (is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only), fingerprint text NOT NULL)',
  );
});

it('a database is opened with the pepper that it was begun with, and with no other', async () => {
  await start(pepperOf(1));
  await start(pepperOf(1));
  await expect(start(pepperOf(2))).rejects.toThrow(
    /^REGULATION_PEPPER is not the one that this database was first used with, so nobody would be known\. Restore/,
  );
  const { rows: kept } = await database.dataSource.run('SELECT fingerprint FROM pepper_fingerprint');
  // The value that earlier Weir versions wrote. With another one, no existing database would start.
  expect(kept).toEqual([{ fingerprint: 'slNIKJel+ZU3L48lU2OZOyA3ZOL/4rgPnsk2kLkB/3g=' }]);
});
