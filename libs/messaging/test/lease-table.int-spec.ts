import { afterEach, describe, expect, it } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { LeaseKeeper, LeaseTable } from '../src/index.js';
import { CreateMessagingTables1764000000001, silent, until } from './fixtures.js';

const db = useDatabase('regulation', [CreateMessagingTables1764000000001]);
const ROLE = 'filter';
const SLOTS = 4;
const keepers: LeaseKeeper[] = [];

const table = (member: string) => new LeaseTable(db.dataSource, { role: ROLE, slots: SLOTS, member });

function join(member: string): LeaseKeeper {
  const keeper = new LeaseKeeper(table(member), { take: () => undefined, drop: async () => undefined }, silent);
  keepers.push(keeper);
  keeper.start();
  return keeper;
}

/** A member that nobody hears of any more, as its last word left the tables. */
async function dead(expiresIn: string): Promise<void> {
  const member = `INSERT INTO lease_members VALUES ($1, 'dead', now() + $2::interval)`;
  await db.dataSource.run(member, [ROLE, expiresIn]);
  const leases = `INSERT INTO leases (role, slot, owner, expires_at)
    SELECT $1, generate_series(0, $3::int - 1), 'dead', now() + $2::interval`;
  await db.dataSource.run(leases, [ROLE, expiresIn, SLOTS]);
}

afterEach(async () => {
  await Promise.all(keepers.splice(0).map((keeper) => keeper.stop()));
  for (const emptied of ['leases', 'lease_members']) await db.dataSource.run(`DELETE FROM ${emptied}`);
});

describe('leases in the database', () => {
  it('of a dead member run out also when the clock of the database has been set back by an hour', async () => {
    await dead('1 hour');
    const keeper = join('alive');
    await until(() => keeper.slots.length === SLOTS);
  });

  it('of a living member stay as they are, whoever looks', async () => {
    const owner = table('owner');
    await owner.prepare();
    await owner.heartbeat();
    await owner.claim(SLOTS);
    const all = `SELECT slot, owner, epoch, expires_at FROM leases ORDER BY slot`;
    const { rows } = await db.dataSource.run(all);
    await table('other').heartbeat();
    expect((await db.dataSource.run(all)).rows).toEqual(rows);
  });

  it('are shared while another member is about to say that it lives', async () => {
    await dead('-1 second');
    await db.dataSource.transaction(async (sql) => {
      await sql.run(`UPDATE lease_members SET expires_at = now() WHERE member = 'dead'`);
      expect(await table('alive').heartbeat()).toEqual({ share: SLOTS, members: ['alive'] });
    });
  });

  it('of a member that is gone become free, except for those that it renewed since', async () => {
    const [gone, other] = [table('gone'), table('other')];
    await gone.prepare();
    await gone.heartbeat();
    await gone.claim(SLOTS);
    const since = await other.time();
    await gone.renew([0, 1]);
    expect(await other.bury('gone', since)).toBe(true);
    expect((await other.claim(SLOTS)).map(({ slot }) => slot)).toEqual([2, 3]);
  });

  it('of a member that has said since that it lives stay its own', async () => {
    const [owner, other] = [table('owner'), table('other')];
    await owner.prepare();
    await owner.claim(SLOTS);
    const since = await other.time();
    await owner.heartbeat();
    expect(await other.bury('owner', since)).toBe(false);
    expect(await owner.renew([0, 1, 2, 3])).toHaveLength(SLOTS);
  });
});
