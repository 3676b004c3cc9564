import { z } from 'zod';
import { JsonObject, Ksuid } from './ids.js';
import { FetchRecord, UserError } from './sandbox.js';

/** What code made of one event of a test. Keys are dotted paths; those of a fan-out are those of all its outputs. */
export const EventEvidence = z.object({
  input: JsonObject,
  outcome: z.enum(['kept', 'fanned_out', 'dropped', 'failed']),
  outputs: z.array(JsonObject),
  error: UserError.optional(),
  /** How long the code took for this event, what it waited for included; missing where it takes all of them together. */
  milliseconds: z.number().optional(),
  keysAdded: z.array(z.string()),
  keysRemoved: z.array(z.string()),
});
export type EventEvidence = z.output<typeof EventEvidence>;

const ReplayedOutcome = EventEvidence.pick({ outcome: true, outputs: true, error: true });

/** What would change for real events. Without a live version they stay as they are. */
export const Replay = z.object({
  liveVersionId: Ksuid.nullable(),
  samples: z.number().int(),
  changed: z.number().int(),
  /** Samples that change, in their order, as far as they fit. Keys are those of `next` against `live`. */
  differences: z.array(
    z.object({
      input: JsonObject,
      live: ReplayedOutcome,
      next: ReplayedOutcome,
      keysAdded: z.array(z.string()),
      keysRemoved: z.array(z.string()),
      keysChanged: z.array(z.string()),
    }),
  ),
  /** How many more samples change. */
  differencesLeftOut: z.number().int().optional(),
  /** Whom both versions called, as far as it fits. */
  fetches: z.array(FetchRecord).optional(),
});
export type Replay = z.output<typeof Replay>;

/** How each item did, as clients read it (wire-facts 1.8); evidence is Weir's own and bounded. */
export const ValidationOutput = z.object({
  libraries: z.array(
    z.object({
      id: Ksuid,
      externalId: z.string().optional(),
      name: z.string(),
      handleName: z.string(),
      versionId: Ksuid,
      pass: z.boolean(),
      message: z.string().optional(),
    }),
  ),
  transformations: z.array(
    z.object({
      id: Ksuid,
      externalId: z.string().optional(),
      name: z.string(),
      versionId: Ksuid,
      imports: z.array(z.string()),
      pass: z.boolean(),
      message: z.string().optional(),
      testResult: z.object({
        status: z.enum(['pass', 'fail', 'error']),
        results: z.array(
          z.object({
            id: z.string().optional(),
            name: z.string(),
            description: z.string().optional(),
            status: z.enum(['pass', 'fail', 'error']),
            actualOutput: z.array(z.unknown()),
            errors: z.array(
              z.object({
                message: z.string(),
                event: JsonObject.optional(),
                eventIndex: z.number().optional(),
                /** Where in the user's own code. */
                frame: UserError.shape.frame,
              }),
            ),
            /** One for each event of the input, in order, as far as they fit. */
            events: z.array(EventEvidence).optional(),
            /** How many more events there were. */
            eventsLeftOut: z.number().int().optional(),
            /** What the code logged, and whom it called, as far as they fit. */
            logs: z.array(z.string()).optional(),
            fetches: z.array(FetchRecord).optional(),
            /** Milliseconds of the whole run, with the way to the sandbox. */
            durationMs: z.number().optional(),
          }),
        ),
      }),
      /** When the request came with samples. */
      replay: Replay.optional(),
    }),
  ),
});
export type ValidationOutput = z.output<typeof ValidationOutput>;
