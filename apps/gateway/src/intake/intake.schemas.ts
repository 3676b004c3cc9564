import { MESSAGE_TYPES } from '@weir/contracts';
import { z } from 'zod';

const id = z.union([z.string(), z.number()]);

/** Documentation only. `parse-events.ts` checks events, because it is much faster. */
export const Event = z
  .looseObject({
    userId: id.optional().meta({ description: 'Either userId or anonymousId is required' }),
    anonymousId: id.optional(),
    messageId: z
      .string()
      .optional()
      .meta({ description: 'Identifies the message, so that a retry is stored once. Weir generates a missing one' }),
    event: z.string().optional().meta({ description: 'Name of a track event' }),
    name: z.string().optional().meta({ description: 'Name of a page or screen' }),
    properties: z.looseObject({}).optional(),
    traits: z.looseObject({}).optional(),
    context: z.looseObject({}).optional(),
    integrations: z.looseObject({}).optional(),
    timestamp: z.iso.datetime().optional(),
    originalTimestamp: z.iso.datetime().optional(),
    sentAt: z.iso.datetime().optional(),
  })
  .meta({ id: 'Event', examples: [{ userId: 'u1', event: 'Order Placed', properties: { total: 42 } }] });

export const Batch = z
  .object({
    batch: z
      .array(
        Event.extend({ type: z.enum([...MESSAGE_TYPES, 'merge']).optional() }).meta({
          id: 'BatchEvent',
        }),
      )
      .min(1),
    sentAt: z.iso.datetime().optional().meta({ description: 'Default for events without their own' }),
  })
  .meta({
    id: 'EventBatch',
    examples: [{ batch: [{ type: 'track', anonymousId: 'a1', event: 'Order Placed' }] }],
  });

/** Any JSON that another service sends. */
export const Webhook = z
  .union([z.looseObject({}), z.array(z.looseObject({})).min(1)])
  .meta({ id: 'Webhook', examples: [{ action: 'opened', issue: { number: 1 } }] });

/** The write key as a query parameter, for clients that cannot set headers. */
export const WriteKeyQuery = z.object({ writeKey: z.string().meta({ description: 'Write key of the source' }) });

export const PixelQuery = WriteKeyQuery.extend({
  userId: z.string().optional().meta({ description: 'Either userId or anonymousId is required' }),
  anonymousId: z.string().optional().meta({ description: 'Id of a visitor who is not known yet' }),
  event: z.string().optional().meta({ description: 'Other fields of the event work too. A dot leads into an object' }),
});

/** The configuration that browser SDKs fetch before they send. It holds no secrets, because write keys are public. */
export const SourceConfig = z
  .object({
    source: z.object({
      id: z.string(),
      name: z.string(),
      writeKey: z.string(),
      workspaceId: z.string(),
      enabled: z.boolean(),
      config: z.object({
        statsCollection: z.object({
          errors: z.object({ enabled: z.literal(false) }),
          metrics: z.object({ enabled: z.literal(false) }),
        }),
      }),
      sourceDefinition: z.object({ name: z.string() }),
      destinations: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          enabled: z.literal(true),
          config: z.looseObject({ connectionMode: z.string() }),
          destinationDefinition: z.object({ name: z.string(), displayName: z.string() }),
        }),
      ),
    }),
  })
  .meta({ id: 'SourceConfig' });

/** The settings that Segment's SDK for browsers reads: its own destination, and where that one sends. */
export const SegmentSettings = z
  .object({
    integrations: z.object({
      'Segment.io': z.object({
        apiKey: z.string(),
        apiHost: z.string().meta({ description: 'Host and path of this server, without a scheme' }),
        protocol: z.enum(['http', 'https']),
      }),
    }),
    plan: z.object({ track: z.looseObject({}), identify: z.looseObject({}), group: z.looseObject({}) }),
  })
  .meta({ id: 'SegmentSettings' });
