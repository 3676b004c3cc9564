import { expect, it } from '@jest/globals';
import { useDatabase } from '@weir/testing';
import { ClearVendorTexts1764000000009 } from '../src/migrations/0009-clear-vendor-texts.js';
import { migrations } from '../src/migrations/index.js';

const database = useDatabase('delivery', migrations);

const addLetter = (key: string, stage: string, reason: string) =>
  database.dataSource.query(
    `INSERT INTO dead_letters (workspace_id, destination_id, source_id, event_key, stage, reason, attempts, event, match_keys,
                               received_at) VALUES ('w', 'd', 's', $1, $2, $3, 1, '{}', '{}', now())`,
    [key, stage, reason],
  );

it('masks possible secrets in answers that earlier releases stored', async () => {
  await addLetter('1', 'delivery', '{"error":"authentication failed for sk_live_x","got":"Basic dXNlcjpzZWNyZXQ="}');
  await addLetter('2', 'delivery', 'The destination answered 404');
  await addLetter('3', 'delivery', 'got abcdefghijklmnopqrstuvwxyz, in 25 ms');
  await addLetter('4', 'user_transform', 'Error: order_id_2023 is missing');
  const runner = database.dataSource.createQueryRunner();
  await new ClearVendorTexts1764000000009().up(runner).finally(() => runner.release());
  const letters = await database.dataSource.query('SELECT reason FROM dead_letters ORDER BY event_key');
  expect(letters.map(({ reason }: { reason: string }) => reason)).toEqual([
    '{"error":"authentication failed for ***","got":"Basic ***"}',
    'The destination answered 404',
    'got ***, in 25 ms',
    'Error: order_id_2023 is missing',
  ]);
});
