import { connectNats, ensureTopology, type TopologyOptions } from '@weir/messaging';
import { type DatabaseOptions, dataSourceFor } from './database.js';

/** One migrator at a time per schema. The others wait and then find nothing to do. */
const LOCK_SQL = `SELECT pg_advisory_lock(hashtext('migrations'), hashtext(current_schema()))`;

/** Updates one service's schema and the streams. Safe to run several times in parallel. Runs before any process. */
export async function runMigrations(
  options: DatabaseOptions & { natsUrl: string; topology?: TopologyOptions },
): Promise<void> {
  const source = dataSourceFor({ ...options, poolMax: 2 });
  await source.initialize();
  const lock = source.createQueryRunner();
  try {
    await lock.query(LOCK_SQL);
    await source.runMigrations();
  } finally {
    await lock.release();
    await source.destroy();
  }
  const nats = await connectNats(options.natsUrl, `migrate ${options.schema}`);
  await ensureTopology(nats, options.topology);
  await nats.close();
}
