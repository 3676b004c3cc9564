import { readFileSync } from 'node:fs';
import { ListReceiptKeys, SignedReceipt } from '@weir/contracts';
import { headLine } from './audit/trail-head.js';
import { problemOf } from './receipts/verify-receipt.js';

/**
 * `node dist/receipt-verify.js <receipt> <keys>`: whether a receipt is what Weir signed; needs nothing else of Weir. `keys`: the
 * answer of GET /v2/receipt-keys. Prints the entry of the audit trail that it leads to, as `audit-verify.js` takes it; exit 1,
 * and why on stderr, for a receipt that was not signed like this.
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
