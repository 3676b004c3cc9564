import { z } from 'zod';
import { JsonObject, Ksuid } from './ids.js';
import { CodeRuntime, FetchCall, UserError } from './sandbox.js';

/** Result of the code for one test event. Keys are dotted paths. For a fan-out they are the keys of all outputs together. */
export const EventEvidence = z.object({
  input: JsonObject,
  outcome: z.enum(['kept', 'fanned_out', 'dropped', 'failed']),
  outputs: z.array(JsonObject),
  error: UserError.optional(),
  /** How many events failed in this way, if several did. Only the first of them is listed. */
  count: z.number().int().optional(),
  /** How long the code took for this event, including time spent waiting. Missing when the code takes all events together. */
  milliseconds: z.number().optional(),
  keysAdded: z.array(z.string()),
  keysRemoved: z.array(z.string()),
});
export type EventEvidence = z.output<typeof EventEvidence>;

const ReplayedOutcome = EventEvidence.pick({ outcome: true, outputs: true, error: true });

/** How results for real events would change. Without a live version, the live results are the events themselves. */
export const Replay = z.object({
  liveVersionId: Ksuid.nullable(),
  samples: z.number().int(),
  changed: z.number().int(),
  /** Changed samples in their original order, limited by size. Keys compare `next` with `live`. */
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
  /** How many changed samples did not fit. */
  differencesLeftOut: z.number().int().optional(),
  /** The addresses that both versions called, limited by size. */
  fetches: z.array(FetchCall).optional(),
});
export type Replay = z.output<typeof Replay>;

/** Result per item, in the form that clients read (wire-facts 1.8). Evidence is an addition of Weir and is bounded in size. */
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
                /** How many events failed in this way, if several did. `event` is the first of them. */
                count: z.number().int().optional(),
                /** Position in the user's own code. */
                frame: UserError.shape.frame,
              }),
            ),
            /** One per input event, in order, limited by size. A failure that repeats is listed once and counted. */
            events: z.array(EventEvidence).optional(),
            /** How many events did not fit. */
            eventsLeftOut: z.number().int().optional(),
            /** Log lines of the code, and the addresses that it called, limited by size. */
            logs: z.array(z.string()).optional(),
            fetches: z.array(FetchCall).optional(),
            /** Milliseconds of the whole run, including the transfer to and from the sandbox. */
            durationMs: z.number().optional(),
          }),
        ),
      }),
      /** Runtime of the code with its libraries. Missing if it did not load. */
      ...CodeRuntime.partial().shape,
      /** Set when the request came with samples. */
      replay: Replay.optional(),
    }),
  ),
});
export type ValidationOutput = z.output<typeof ValidationOutput>;
