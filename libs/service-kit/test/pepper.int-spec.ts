import { beforeEach, expect, it } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { PEPPERS_TABLE_SQL, Pepper, PepperGuard } from '../src/pepper.js';

const database = useDatabase('regulation', []);
const pepperOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
const guardOf = (...bytes: number[]) =>
  new PepperGuard(database.dataSource, new Pepper(bytes.map(pepperOf).join()), {
    ...{ schema: 'regulation', variable: 'REGULATION_PEPPER', harm: 'nobody would be known' },
  });
const start = (...bytes: number[]) => guardOf(...bytes).onModuleInit();
const REFUSED =
  /^REGULATION_PEPPER lacks a pepper that this database was used with, so nobody would be known\. Restore/;
/** The value that earlier releases wrote for the first pepper. With another one, no existing database would start. */
const FIRST = 'slNIKJel+ZU3L48lU2OZOyA3ZOL/4rgPnsk2kLkB/3g=';

beforeEach(async () => {
  await database.dataSource.run('DROP TABLE IF EXISTS peppers, pepper_fingerprint');
  await database.dataSource.run('CREATE TABLE pepper_fingerprint (fingerprint text NOT NULL)');
});

it('a database is opened with the pepper that it was begun with, and with no other', async () => {
  await database.dataSource.run('INSERT INTO pepper_fingerprint VALUES ($1)', [FIRST]);
  await database.dataSource.query(PEPPERS_TABLE_SQL);
  await start(1);
  await expect(start(2)).rejects.toThrow(REFUSED);
  await start(1);
});

it('two first starts with different peppers do not both succeed', async () => {
  await database.dataSource.query(PEPPERS_TABLE_SQL);
  const starts = await Promise.allSettled([start(1), start(2)]);
  expect(starts.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('a second pepper may join; from its first use on both are needed, until nothing depends on the old one', async () => {
  await database.dataSource.query(PEPPERS_TABLE_SQL);
  await start(1);
  await start(1, 2);
  await start(1);
  await start(2, 1);
  await expect(start(1)).rejects.toThrow(REFUSED);
  await expect(start(2)).rejects.toThrow(REFUSED);
  await guardOf(2, 1).keepOnlyFirst();
  await start(2);
  await expect(start(1)).rejects.toThrow(REFUSED);
});
