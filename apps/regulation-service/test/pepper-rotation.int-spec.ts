import { randomBytes } from 'node:crypto';
import { afterEach, expect, it } from '@jest/globals';
import { Metrics, Pepper, PepperGuard, Sealer } from '@weir/service-kit';
import { until, useDatabase } from '@weir/testing';
import { PepperRotation } from '../src/rotation/pepper-rotation.js';
import { SCHEMA } from '../src/schema.js';
import { Attributes, DEAD_LETTER_AAD, MatchKeys } from '../src/secrets/match-keys.js';
import { matchKeys, PEPPER, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const pepper = new Pepper(`${randomBytes(32).toString('base64')},${PEPPER}`);
const keys = new MatchKeys(pepper);
const attributes = new Attributes(keys);
const query = <Row>(sql: string, values: unknown[] = []) => db.dataSource.query<Row[]>(sql, values);
/** More than one read of the rotation. */
const USERS = 250;
const LETTERS = 3;

let rotation: PepperRotation | undefined;
afterEach(() => rotation?.beforeApplicationShutdown());

/** Rotates from the pepper of all tests to a new one, until a round ended with so many rows left. */
async function rotateUntilLeft(rows: number): Promise<void> {
  const guarded = { variable: 'REGULATION_PEPPER', schema: SCHEMA.name, harm: 'nobody is matched' };
  const metrics = new Metrics('test');
  rotation = new PepperRotation(
    db.dataSource,
    pepper,
    new PepperGuard(db.dataSource, pepper, guarded),
    keys,
    attributes,
    metrics,
  );
  rotation.onApplicationBootstrap();
  const left = async () => (await metrics.text()).match(/^regulation_old_pepper_rows\S* (\d+)$/m)?.[1];
  await until('the end of a round', async () => (await left()) === String(rows));
}

/** Makes the database refuse every change of one row. */
async function refuse(table: string, condition: string): Promise<void> {
  await query(
    `CREATE OR REPLACE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`,
  );
  await query(
    `CREATE TRIGGER refuse BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${condition}) EXECUTE FUNCTION refuse()`,
  );
}

it('a row that cannot be stored keeps no other from the new pepper, and keeps the old pepper needed', async () => {
  await workspaceOf(db.dataSource).create({ users: Array.from({ length: USERS }, (_, n) => ({ userId: `u${n}` })) });
  const sealer = new Sealer(matchKeys.derivedKey('dead-letters'));
  for (let n = 1; n <= LETTERS; n += 1) {
    const letter = sealer.seal({ n }, DEAD_LETTER_AAD);
    await query(`INSERT INTO dead_letters (subject, sequence, reason, payload) VALUES ('', $1, '', $2)`, [n, letter]);
  }
  await query(`INSERT INTO peppers VALUES ('of before')`);
  const [first] = await query<{ id: string }>('SELECT id FROM regulations ORDER BY id LIMIT 1');
  await refuse('regulations', `OLD.id = '${first?.id}'`);
  await refuse('dead_letters', 'OLD.sequence = 1');

  await rotateUntilLeft(2);
  const regulations = await query('SELECT FROM regulations WHERE starts_with(attributes, $1)', [attributes.mark]);
  expect(regulations).toHaveLength(USERS - 1);
  const { mark } = new Sealer(keys.derivedKey('dead-letters'));
  const letters = await query('SELECT FROM dead_letters WHERE starts_with(payload, $1)', [mark]);
  expect(letters).toHaveLength(LETTERS - 1);
  const moved = await query(
    `SELECT FROM suppressions JOIN regulations USING (user_key) WHERE regulation_id = regulations.id`,
  );
  expect(moved).toHaveLength(USERS);
  expect(await query(`SELECT FROM peppers WHERE fingerprint = 'of before'`)).toHaveLength(1);
});
