import { z } from 'zod';

/** Characters of one value. Enough for tokens and private keys, not for documents. */
const VALUE_MAX = 16_384;

export const CredentialPath = z.object({
  key: z.string().regex(/^[\w.-]{1,128}$/, 'credential not found: a key has 1 to 128 letters, digits, _, . and -'),
});
export type CredentialPath = z.output<typeof CredentialPath>;

export const CredentialBody = z.object({
  value: z.string().min(1).max(VALUE_MAX),
  isSecret: z.boolean().default(true).meta({ description: 'The value of a secret is never shown again' }),
});
export type CredentialBody = z.output<typeof CredentialBody>;

export const Credential = z.object({
  key: z.string(),
  isSecret: z.boolean(),
  value: z.string().optional().meta({ description: 'Of what is no secret' }),
  createdBy: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Credential = z.output<typeof Credential>;

export const CredentialAnswer = z.object({ credential: Credential });
export const CredentialList = z.object({ credentials: z.array(Credential) });
