import { createPublicKey, verify as verifySignature } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Schema, unwrap } from '@weir/client';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { confined } from '../core/inside.js';
import { type CommandGroup, examples, type Run } from '../core/run.js';
import { facts } from '../core/table.js';

export const receiptCommands: CommandGroup = (program, cli) => {
  const receipt = program.command('receipt').summary('get and verify receipts of deletions');
  receipt
    .command('get <regulationId>')
    .summary('save the receipt of a deletion and the keys that verify it')
    .description(
      'Saves receipt.json and keys.json in this folder, or below --out. There is a receipt once a deletion is complete.',
    )
    .option('--out <folder>', 'where to save', '.')
    .addHelpText('after', examples('weir receipt get 0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d'))
    .action(cli.action(get));
  receipt
    .command('verify <receipt-file> <keys-file>')
    .summary('verify a receipt offline')
    .description(
      'Checks that one of the keys signed exactly this receipt. It needs no network. It exits with 5 if the receipt is not valid.',
    )
    .addHelpText('after', examples('weir receipt verify receipt.json keys.json'))
    .action(cli.action(verify));
};

async function get({ io, out, args, options, client }: Run<{ out: string }>): Promise<void> {
  const weir = client();
  const params = { path: { id: args[0] ?? '' } };
  const [signed, keys] = await Promise.all([
    unwrap(weir.GET('/v2/regulations/{id}/receipt', { params })),
    unwrap(weir.GET('/v2/receipt-keys')),
  ]);
  const files = { 'receipt.json': signed, 'keys.json': keys };
  for (const [file, value] of Object.entries(files)) {
    writeFileSync(confined(resolve(io.cwd, options.out, file), io), `${JSON.stringify(value, null, 2)}\n`);
  }
  out.result({ files: Object.keys(files) }, () => `Saved ${Object.keys(files).join(' and ')}.`);
}

async function verify({ io, out, args: [receiptFile = '', keysFile = ''] }: Run): Promise<ExitCode> {
  const signed = json(io.cwd, receiptFile) as Schema<'SignedReceipt'>;
  const { keys } = json(io.cwd, keysFile) as Schema<'ReceiptKeys'>;
  const problem = problemOfReceipt(signed, keys);
  if (problem !== undefined) {
    out.result({ valid: false, problem }, ({ red }) => red(`✗ Not valid: ${problem}`));
    return ExitCode.checkFailed;
  }
  const { workspaceId, regulationId, completedAt, audit } = signed.receipt;
  out.result({ valid: true, receipt: signed.receipt }, ({ green }) =>
    [
      green(`✓ Valid: the deletion was complete at ${completedAt}`),
      facts({ workspace: workspaceId, regulation: regulationId, 'audit entry': `${audit.position} ${audit.hash}` }),
    ].join('\n'),
  );
  return ExitCode.ok;
}

function json(cwd: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`, 'Save both with `weir receipt get`.');
  }
}

type Signed = Schema<'SignedReceipt'>;
type Key = Schema<'ReceiptKeys'>['keys'][number];

/**
 * Undefined if one of the keys signed exactly this receipt (Ed25519 over its canonical JSON, RFC 8785). Otherwise the reason. It
 * shares no code with the server on purpose: a person who does not trust the server must be able to check it.
 */
function problemOfReceipt(signed: Signed, keys: readonly Key[] | undefined): string | undefined {
  const { receipt, signature } = signed ?? {};
  if (!receipt || !signature || !Array.isArray(keys)) return 'the files do not hold a receipt and its keys';
  const key = keys.find(({ kid }) => kid === signature.keyId);
  if (!key) return 'it is signed with a key that is not among the given ones';
  const publicKey = createPublicKey({ key: { kty: key.kty, crv: key.crv, x: key.x }, format: 'jwk' });
  const bytes = Buffer.from(canonicalJson(receipt));
  const isSigned = verifySignature(null, bytes, publicKey, Buffer.from(signature.value, 'base64url'));
  return isSigned ? undefined : 'its signature does not match its content: one of them was changed';
}

/** Sorted keys and no spaces. Receipts hold texts, integers, lists and objects, and these need no more. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
