import { readFileSync } from 'node:fs';
import { ListReceiptKeys, SignedReceipt } from '@weir/contracts';
import { headLine } from './audit/audit.verification.js';
import { problemOf } from './receipts/receipt-keys.js';

/**
 * `node dist/receipt-verify.js <receipt> <keys>` checks that Weir signed a receipt. It needs no other part of Weir. `keys` is the
 * answer of GET /v2/receipt-keys. Prints the audit entry that the receipt leads to, in the format of `audit-verify.js`. For an
 * invalid receipt it exits with 1 and gives the reason on stderr.
 */
const [receiptFile, keysFile] = process.argv.slice(2);
if (receiptFile === undefined || keysFile === undefined) {
  process.stderr.write('node receipt-verify.js <receipt.json> <keys.json>\n');
  process.exit(2);
}
const json = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));
const signed = SignedReceipt.parse(json(receiptFile));
const problem = problemOf(signed, ListReceiptKeys.reply.parse(json(keysFile)).keys);
if (problem === undefined) {
  const { workspaceId, audit, regulationId, completedAt } = signed.receipt;
  process.stdout.write(`${headLine({ workspaceId, ...audit })}\n`);
  process.stderr.write(`valid: the deletion of regulation ${regulationId} was complete at ${completedAt}\n`);
} else {
  process.stderr.write(`not valid: ${problem}\n`);
  process.exitCode = 1;
}
