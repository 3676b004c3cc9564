import { z } from 'zod';
import { defineCall } from '../call.js';
import { Ksuid, Uuid } from '../ids.js';
import { DeletionView } from './deletion.js';

const WORKSPACE = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const ID = '0ujzPyRiIAffKhBux4PvQdDqMHY';
const RECORD = '0b9f3d1e-6f0a-4c62-9a3d-2f4c5a6b7c8d';

/** States what was deleted where and when, without any identifier. Signed as canonical JSON (RFC 8785). */
export const DeletionReceipt = z.object({
  version: z.literal(1),
  workspaceId: Ksuid,
  regulationId: Uuid,
  /** The user's match key, as in the audit trail: an HMAC in hex. */
  subject: z.string(),
  requestedAt: z.string(),
  completedAt: z.string(),
  /** Every destination of the regulation and Weir's own stores. */
  destinations: z.array(
    DeletionView.pick({
      destinationId: true,
      status: true,
      attempts: true,
      reason: true,
      forwardedAt: true,
      endedAt: true,
    }).extend({ type: z.string() }),
  ),
  /** The last entry of the workspace's audit trail about this deletion. */
  audit: z.object({ position: z.int(), hash: z.string() }),
});
export type DeletionReceipt = z.output<typeof DeletionReceipt>;

export const SignedReceipt = z.object({
  receipt: DeletionReceipt,
  signature: z.object({
    algorithm: z.literal('Ed25519'),
    /** `kid` of the key in {@link ListReceiptKeys}. */
    keyId: z.string(),
    /** 64 bytes in base64url. */
    value: z.string(),
  }),
});
export type SignedReceipt = z.output<typeof SignedReceipt>;

/** `conflict` until the deletion is complete, and for regulations that delete nothing. */
export const GetRegulationReceipt = defineCall({
  subject: 'regulation.record.receipt.v1',
  request: z.object({ workspaceId: Ksuid, id: Uuid }),
  reply: SignedReceipt,
  deadlineMs: 5_000,
  example: {
    request: { workspaceId: WORKSPACE, id: RECORD },
    reply: {
      receipt: {
        ...{ version: 1, workspaceId: WORKSPACE, regulationId: RECORD, subject: '9f86d081884c7d65' },
        ...{ requestedAt: '2026-01-01T00:00:00.000Z', completedAt: '2026-01-01T00:01:00.000Z' },
        destinations: [
          { destinationId: ID, type: 'WEBHOOK', status: 'complete', attempts: 1, endedAt: '2026-01-01T00:01:00.000Z' },
        ],
        audit: { position: 2, hash: '2c26b46b68ffc68f' },
      },
      signature: { algorithm: 'Ed25519', keyId: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', value: 'c2lnbmF0dXJl' },
    },
  },
});

/** A public key as JSON Web Key (RFC 8037). */
export const ReceiptKey = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  /** Thumbprint (RFC 7638). */
  kid: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});
export type ReceiptKey = z.output<typeof ReceiptKey>;

/** All keys that have signed receipts of this installation. The current key comes first. */
export const ListReceiptKeys = defineCall({
  subject: 'regulation.receipt-key.list.v1',
  request: z.object({}),
  reply: z.object({ keys: z.array(ReceiptKey) }),
  deadlineMs: 2_000,
  example: {
    request: {},
    reply: {
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' },
          ...{ kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k', alg: 'EdDSA', use: 'sig' },
        },
      ],
    },
  },
});
