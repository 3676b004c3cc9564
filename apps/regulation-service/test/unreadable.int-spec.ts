import { describe, expect, it } from '@jest/globals';
import { newKsuid } from '@weir/service-kit';
import { useDatabase } from '@weir/testing';
import { SCHEMA } from '../src/schema.js';
import { spoil, workspaceOf } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);

/** Three regulations, of which the second cannot be opened. */
async function scene() {
  const own = workspaceOf(db.dataSource);
  const users = ['ada', 'lost', 'bob'].map((userId) => ({ userId, email: `${userId}@example.com` }));
  const destinations = [{ id: newKsuid(), type: 'WEBHOOK' }];
  const ids = await own.create({ regulationType: 'suppress_with_delete', users, destinations });
  const [, lost = ''] = ids;
  await spoil(db.dataSource, lost);
  return { own, users, ids, lost };
}
const UNREADABLE = { attributes: { userId: '' }, unreadable: true };

describe('a regulation whose identifiers cannot be opened', () => {
  it('says so in lists, which show the others', async () => {
    const { own, users, ids } = await scene();
    const { records } = await own.list();
    expect(records.map(({ id }) => id)).toEqual(ids);
    expect(records).toMatchObject([{ attributes: users[0] }, UNREADABLE, { attributes: users[2] }]);
    expect(records[0]).not.toHaveProperty('unreadable');
    expect(await own.details()).toMatchObject([{}, { ...UNREADABLE, deletion: { status: 'pending' } }, {}]);
  });

  it('is shown with its scope and its deletions, is found by its user, and can be canceled', async () => {
    const { own, lost } = await scene();
    expect(await own.get(lost)).toMatchObject({ ...UNREADABLE, deletion: { status: 'pending' } });
    expect((await own.list(undefined, { userId: 'lost' })).records).toMatchObject([{ id: lost, ...UNREADABLE }]);
    expect(await own.check(newKsuid(), 'lost')).toEqual(['lost']);
    await own.cancel(lost);
    expect(await own.get(lost)).toMatchObject({ canceled: true, deletion: { status: 'canceled' } });
  });
});
