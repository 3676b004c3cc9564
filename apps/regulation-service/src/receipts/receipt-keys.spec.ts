import { describe, expect, it } from '@jest/globals';
import { GetRegulationReceipt, type SignedReceipt } from '@weir/contracts';
import { canonicalJson, problemOf, ReceiptKeys } from './receipt-keys.js';

/** The example key of RFC 8037, appendix A: seed, public key and thumbprint. */
const SEED = Buffer.from('nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A', 'base64url').toString('base64');
const X = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
const KID = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';

const OTHER_SEED = Buffer.alloc(32, 7).toString('base64');
const { receipt } = GetRegulationReceipt.example.reply as SignedReceipt;

describe('the keys of receipts', () => {
  it('are published as JSON Web Keys, named by their thumbprint; what signs now comes first', () => {
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: X, kid: KID, alg: 'EdDSA', use: 'sig' };
    expect(new ReceiptKeys(SEED).published).toEqual([jwk]);
    const { published } = new ReceiptKeys(OTHER_SEED, [X]);
    expect(published).toHaveLength(2);
    expect(published[1]).toEqual(jwk);
  });

  it('are none without configuration: there is no key that everybody knows', () => {
    const keys = new ReceiptKeys(undefined);
    expect([keys.published, keys.canSign]).toEqual([[], false]);
    expect(() => keys.sign(receipt)).toThrow('no key');
  });
});

describe('a receipt', () => {
  const signed = new ReceiptKeys(SEED).sign(receipt);

  it('is valid, also after the key was retired', () => {
    expect(problemOf(signed, new ReceiptKeys(SEED).published)).toBeUndefined();
    expect(problemOf(signed, new ReceiptKeys(OTHER_SEED, [X]).published)).toBeUndefined();
  });

  it('is valid for whoever asks another process, at each step of a replacement', () => {
    const newX = String(new ReceiptKeys(OTHER_SEED).published[0]?.x);
    const steps = [
      new ReceiptKeys(SEED),
      new ReceiptKeys(SEED, [newX]),
      new ReceiptKeys(OTHER_SEED, [newX, X]),
      new ReceiptKeys(OTHER_SEED, [X]),
    ];
    // While processes restart, some are one step ahead.
    for (const [n, before] of steps.slice(0, -1).entries()) {
      const after = steps[n + 1] as ReceiptKeys;
      expect(problemOf(before.sign(receipt), after.published)).toBeUndefined();
      expect(problemOf(after.sign(receipt), before.published)).toBeUndefined();
    }
    expect(steps.map(({ published }) => published.map(({ x }) => x))).toEqual([[X], [X, newX], [newX, X], [newX, X]]);
  });

  it('stays valid when somebody formats it anew or sorts its fields', () => {
    const shuffled = Object.fromEntries(Object.entries(receipt).reverse()) as SignedReceipt['receipt'];
    const again = JSON.parse(JSON.stringify({ ...signed, receipt: shuffled }, null, 2)) as SignedReceipt;
    expect(problemOf(again, new ReceiptKeys(SEED).published)).toBeUndefined();
  });

  it('is not valid with another content, signature or key', () => {
    const { published } = new ReceiptKeys(SEED);
    const later = { ...receipt, completedAt: '2026-01-02T00:00:00.000Z' };
    const more = { ...receipt, destinations: [...receipt.destinations, ...receipt.destinations] };
    for (const changed of [later, more]) {
      expect(problemOf({ ...signed, receipt: changed }, published)).toContain('was changed');
    }
    const value = Buffer.alloc(64).toString('base64url');
    expect(problemOf({ ...signed, signature: { ...signed.signature, value } }, published)).toContain('was changed');
    expect(problemOf(signed, new ReceiptKeys(OTHER_SEED).published)).toContain('not among');
  });
});

it('canonical JSON has sorted keys and no blanks, whatever the order was', () => {
  const value = { b: [{ d: 1, c: 'é"\n' }], a: { z: null, y: true }, left: undefined };
  expect(canonicalJson(value)).toBe('{"a":{"y":true,"z":null},"b":[{"c":"é\\"\\n","d":1}]}');
});
