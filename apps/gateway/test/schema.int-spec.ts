import { expect, it } from '@jest/globals';
import { entityDrift, useDatabase } from '@weir/testing';
import { entities } from '../src/app.module.js';
import { migrations } from '../src/migrations/index.js';

const database = useDatabase('gateway', migrations, entities);

it('the entities describe the migrated tables', async () => {
  expect(await entityDrift(database.dataSource)).toEqual([]);
});
