import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { useDatabase, useNats } from '@weir/testing';
import { readTrail } from '../src/audit/audit.repository.js';
import { ReceiptService } from '../src/receipts/receipt.service.js';
import { problemOf, ReceiptKeys } from '../src/receipts/receipt-keys.js';
import { SCHEMA } from '../src/schema.js';
import { useDeletions } from './deletions.harness.js';
import type { Workspace } from './fixtures.js';

const db = useDatabase(SCHEMA.name, SCHEMA.migrations, SCHEMA.entities);
const nats = useNats();
const { start, workspace, hook, requestOne, ended, server } = useDeletions(db, nats);
const keys = new ReceiptKeys(randomBytes(32).toString('base64'));
const receiptOf = ({ workspaceId }: Workspace, id: string, withKeys = keys) =>
  new ReceiptService(db.dataSource, withKeys).issue({ workspaceId, id });
const conflict = (text: string) =>
  expect.objectContaining({ code: 'conflict', message: expect.stringContaining(text) });

describe('the receipt of a deletion', () => {
  it('is there once everything is complete, and tells what was done, but not to whom', async () => {
    const own = workspace();
    const users = [{ userId: 'needle-ada', email: 'needle@example.com' }];
    const destinations = [await hook(own), await hook(own, {}, 'SLACK')];
    const id = await requestOne(own, destinations, users);
    await expect(receiptOf(own, id)).rejects.toEqual(conflict('it is pending'));
    await start();
    await ended(own, id);

    const signed = await receiptOf(own, id);
    expect(problemOf(signed, keys.published)).toBeUndefined();
    const trail = await readTrail(db.dataSource, own.workspaceId);
    const end = trail.at(-1);
    expect(signed.receipt).toEqual({
      ...{ version: 1, workspaceId: own.workspaceId, regulationId: id, subject: end?.subjectHash.toString('hex') },
      ...{ requestedAt: (await own.get(id)).createdAt, completedAt: end?.at.toISOString() },
      destinations: [
        [destinations[0]?.id, 'WEBHOOK', 'complete'],
        [destinations[1]?.id, 'SLACK', 'not_supported'],
        ['internal:schema', 'INTERNAL', 'complete'],
        ['internal:runner', 'INTERNAL', 'complete'],
      ].map(([destinationId, type, status]) => ({
        ...{ destinationId, type, status, attempts: 1, endedAt: expect.any(String) },
        ...(status === 'not_supported' && { reason: expect.stringContaining('cannot delete') }),
      })),
      audit: { position: end?.position, hash: end?.hash.toString('hex') },
    });
    expect(JSON.stringify(signed)).not.toContain('needle');

    // A later cancel restores nothing, so the receipt stays the same.
    await own.cancel(id);
    expect(await receiptOf(own, id)).toEqual(signed);
  });

  it('is refused for what is not complete, with the reason', async () => {
    const own = workspace();
    server().answer({ status: 400 });
    const id = await requestOne(own, [await hook(own)]);
    await start();
    await ended(own, id);
    await expect(receiptOf(own, id)).rejects.toEqual(conflict('it is partial'));
    const suppressed = await own.createOne({});
    await expect(receiptOf(own, suppressed)).rejects.toEqual(conflict('deletes nothing'));
  });

  it('is refused for unknown ids and those of others', async () => {
    const [own, other] = [workspace(), workspace()];
    const id = await own.createOne({});
    for (const [who, which] of [
      [own, randomUUID()],
      [other, id],
    ] as const) {
      await expect(receiptOf(who, which)).rejects.toEqual(expect.objectContaining({ code: 'not_found' }));
    }
  });

  it('needs a key, which is never made up', async () => {
    const own = workspace();
    const id = await requestOne(own, []);
    await start();
    await ended(own, id);
    await expect(receiptOf(own, id, new ReceiptKeys(undefined))).rejects.toEqual(
      expect.objectContaining({ code: 'unsupported', message: expect.stringContaining('REGULATION_RECEIPT_KEY') }),
    );
  });
});
