import type { Database } from '@weir/service-kit';

/**
 * The statements with which TypeORM would change the migrated schema to fit the entities. Empty when both agree. Looks only at
 * tables that have an entity.
 */
export async function entityDrift(database: Database): Promise<string[]> {
  const { upQueries } = await database.driver.createSchemaBuilder().log();
  return upQueries.map(({ query }) => query);
}
