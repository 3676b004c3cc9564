import { expect, it } from '@jest/globals';
import { entityDrift, useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';

const database = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);

it('the entities describe the tables that the migrations make', async () => {
  expect(await entityDrift(database.dataSource)).toEqual([]);
});
