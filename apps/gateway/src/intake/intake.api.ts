import { MESSAGE_TYPES } from '@weir/contracts';
import { z } from 'zod';
import type { ApiSpec } from '../http/api.js';
import type { ModuleRoute } from '../http/module-routes.js';
import type { IntakeCall } from './parse-events.js';

const id = z.union([z.string(), z.number()]);
/** For documentation alone: events are checked by `parse-events.ts`, which is much faster. */
const Event = z
  .looseObject({
    userId: id.optional().meta({ description: 'This or anonymousId is required' }),
    anonymousId: id.optional(),
    messageId: z
      .string()
      .optional()
      .meta({ description: 'Names the message for good: a retry with it is stored once. Made when missing' }),
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

const Batch = z
  .object({
    batch: z.array(Event.extend({ type: z.enum(MESSAGE_TYPES).optional() }).meta({ id: 'BatchEvent' })).min(1),
    sentAt: z.iso.datetime().optional().meta({ description: 'For events without their own' }),
  })
  .meta({
    id: 'EventBatch',
    examples: [{ batch: [{ type: 'track', anonymousId: 'a1', event: 'Order Placed' }] }],
  });

const specOf = (call: IntakeCall): ApiSpec => ({
  summary: call === 'batch' ? 'Take a batch of events, all or none' : `Take one ${call} event`,
  description:
    'Answers `OK` once the event is stored. Gzip is taken with `Content-Encoding: gzip`. Errors are plain text; after 503, send it again.',
  area: 'intake',
  access: 'write',
  body: call === 'batch' ? Batch : Event,
  reply: z.literal('OK'),
  errors: ['invalid', 'unauthenticated', 'disabled', 'too_large', 'rate_limited', 'unavailable'],
});

const CALLS: readonly IntakeCall[] = [...MESSAGE_TYPES, 'batch'];

/** Every path of the intake, in the form of other routes: the document and the router read the same list. */
export const INTAKE_ROUTES = CALLS.map((call) => ({
  call,
  method: 'POST',
  path: `/v1/${call}`,
  handler: `Intake.${call}`,
  api: specOf(call),
})) satisfies (ModuleRoute & { call: IntakeCall })[];
