import {
  ChannelChoices,
  ChannelHealth,
  ChannelType,
  hasWebhookSecretBytes,
  Ksuid,
  Text,
  Timestamp,
  TROUBLES,
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_SECRET_FORM,
} from '@weir/contracts';
import { z } from 'zod';
import { nameText, pathId } from '../../http/fields.js';

/** No address is longer. */
const URL_MAX = 2_048;
/** Recipients of one channel. For more, a mail server has lists. */
const RECIPIENTS_MAX = 5;

const isHttp = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
};
const Address = Text.max(URL_MAX)
  .refine(isHttp, 'must be an http or https URL without user and password')
  .meta({ format: 'uri', description: 'Public addresses only, and ranges that the operator opened' });
const { min, max } = WEBHOOK_SECRET_BYTES;
const Secret = z
  .string()
  .regex(WEBHOOK_SECRET_FORM, 'must be whsec_ and base64')
  .refine(hasWebhookSecretBytes, `must have ${min} to ${max} bytes`)
  .meta({ description: 'Key of the signature, as in standardwebhooks.com' });
const Recipients = z.array(z.email().max(254)).min(1).max(RECIPIENTS_MAX);

const { enabled, kinds, failingPercent, quietHours } = ChannelChoices.shape;
const choices = {
  name: nameText,
  enabled: enabled.default(true).meta({ default: true }),
  kinds: kinds
    .default([...TROUBLES])
    .meta({ default: [...TROUBLES], description: 'The troubles that the channel reports' }),
  failingPercent: failingPercent.default(50).meta({
    ...{ default: 50, description: 'Share of failed attempts from which a destination counts as failing' },
  }),
  quietHours: quietHours.default(null).meta({ default: null, description: 'Messages wait until their end' }),
};

const WEBHOOK = 'https://hooks.example.com/weir';

export const NewChannel = z
  .discriminatedUnion('type', [
    z.object({ type: z.literal('webhook'), url: Address, secret: Secret.optional(), ...choices }),
    z.object({ type: z.literal('slack'), url: Address, ...choices }),
    z.object({ type: z.literal('email'), to: Recipients, ...choices }),
  ])
  .meta({ id: 'NewChannel', examples: [{ type: 'webhook', name: 'On call', url: WEBHOOK }] });
export type NewChannel = z.output<typeof NewChannel>;

export const ChannelChange = z
  .object({
    name: nameText.optional(),
    enabled: enabled.optional(),
    kinds: kinds.optional(),
    failingPercent: failingPercent.optional(),
    quietHours: quietHours.optional(),
    url: Address.optional(),
    secret: Secret.optional(),
    to: Recipients.optional(),
  })
  .meta({ id: 'ChannelChange', examples: [{ kinds: ['breaker_open'], enabled: true }] });
export type ChannelChange = z.output<typeof ChannelChange>;

export const Channel = ChannelChoices.extend({
  id: Ksuid,
  type: ChannelType,
  addresses: z.array(z.string()).meta({
    description:
      'Where messages go. Masked for roles that may not write, and always for Slack, whose address is a secret',
  }),
  secret: z
    .string()
    .optional()
    .meta({ description: 'Key of the signature, only in the answer that creates a webhook' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  health: ChannelHealth,
}).meta({ id: 'Channel' });
export type Channel = z.output<typeof Channel>;

export const ChannelAnswer = z.object({ channel: Channel });
export const ChannelList = z.object({ channels: z.array(Channel) });
export const ChannelPath = z.object({ id: pathId('channel') });
export type ChannelPath = z.output<typeof ChannelPath>;
