import { z } from 'zod';
import { defineCall } from './call.js';
import { Text } from './text.js';

const EVENT = '6b8f0f66-5a42-4d8e-9d6b-0d6b5c1f9a10';

export const MASKED_KEYS_MAX = 200;
const KEY_CHARS_MAX = 512;

/** Controls which samples and frequent values of a source are kept and shown. */
export const SourcePrivacy = z.object({
  Samples: z.enum(['keep', 'mask', 'off']).meta({
    description:
      '`keep` shows events unchanged. `mask` shows `***` for values of MaskedKeys and of keys that look personal, and for personal data in free text. It leaves out their frequent values, and values that only one user is known to have had. `off` keeps no samples and no values, and removes existing ones',
  }),
  MaskedKeys: z
    .array(Text.min(1).max(KEY_CHARS_MAX))
    .max(MASKED_KEYS_MAX)
    .default([])
    .meta({ description: 'Dotted key paths. A path covers everything below it' }),
});
export type SourcePrivacy = z.output<typeof SourcePrivacy>;

/** Without masked keys if nothing was set. Samples are then `mask`, or what the operator chose for new sources. */
export const GetSourcePrivacy = defineCall({
  subject: 'schema.privacy.get.v1',
  request: z.object({ writeKey: Text }),
  reply: SourcePrivacy,
  deadlineMs: 5_000,
  example: { request: { writeKey: 'wk' }, reply: { Samples: 'keep', MaskedKeys: [] } },
});

/** Applies to every read after the reply. Data that `off` hides is removed by then, or soon after for a very large source. */
export const PutSourcePrivacy = defineCall({
  subject: 'schema.privacy.put.v1',
  request: z.object({ writeKey: Text.min(1), privacy: SourcePrivacy }),
  reply: SourcePrivacy,
  deadlineMs: 15_000,
  example: {
    request: { writeKey: 'wk', privacy: { Samples: 'mask', MaskedKeys: ['traits.plate'] } },
    reply: { Samples: 'mask', MaskedKeys: ['traits.plate'] },
  },
});

export const PII_KINDS = [
  'email',
  'phone',
  'name',
  'address',
  'birthday',
  'ip',
  'payment',
  'identity',
  'secret',
] as const;

export const PiiFlag = z.object({
  Key: z.string(),
  Kind: z.enum(PII_KINDS),
  Because: z.enum(['name', 'values']).meta({ description: 'The evidence: the name of the key, or observed values' }),
});
export type PiiFlag = z.output<typeof PiiFlag>;

/** Lists keys of a model that look personal, in order. This is a hint for people and not a proof. */
export const ListPiiFlags = defineCall({
  subject: 'schema.pii.list.v1',
  request: z.object({ eventId: Text }),
  reply: z.object({ flags: z.array(PiiFlag) }),
  deadlineMs: 5_000,
  example: {
    request: { eventId: EVENT },
    reply: { flags: [{ Key: 'context.traits.email', Kind: 'email', Because: 'name' }] },
  },
});
