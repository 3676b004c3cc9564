import { z } from 'zod';
import { defineCall } from './call.js';
import { JsonObject, Ksuid } from './ids.js';
import { BUNDLE_LIBRARIES_MAX } from './limits.js';

/** Credentials of one workspace that a run may receive. */
const RUN_CREDENTIALS_MAX = 100;

/** Code that runs together: one transformation and every library that it reaches. Immutable, so `key` is safe as a cache key. */
export const CodeBundle = z.object({
  /** Version ids of the transformation and its libraries, joined. Unsaved code has a key made from its content. */
  key: z.string().min(1),
  /** File name in stack traces. */
  name: z.string(),
  code: z.string(),
  libraries: z.array(z.object({ importName: z.string(), code: z.string() })).max(BUNDLE_LIBRARIES_MAX),
});
export type CodeBundle = z.output<typeof CodeBundle>;

/** An error of user code, in the user's own terms. Contains no host path and no hidden wrapper. */
export const UserError = z.object({
  /** As shown to the user: `Error: boom\n    at transformEvent (my code:3:9)`. */
  message: z.string(),
  frame: z.object({ file: z.string(), line: z.number(), column: z.number() }).optional(),
});
export type UserError = z.output<typeof UserError>;

/** In tests, how long `transformEvent` took for this event, including time spent waiting. Absent for `transformBatch`. */
const milliseconds = z.number().optional();

/**
 * In tests, where to show the error of an element that `transformBatch` returned and that belongs to no input: after so many of the
 * run's outputs and errors without a position.
 */
const position = z.int().nonnegative().optional();

/** Result of one input event. Results keep the order of the input. */
export const EventResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('ok'), outputs: z.array(JsonObject), milliseconds }),
  z.object({ status: z.literal('dropped'), milliseconds }),
  z.object({ status: z.literal('error'), error: UserError, position, milliseconds }),
]);
export type EventResult = z.output<typeof EventResult>;

/** A credential as `getCredential(key)` returns it. */
export const UserCredential = z.object({ key: z.string().min(1).max(256), value: z.string().max(16_384) });
export type UserCredential = z.output<typeof UserCredential>;

/** One call of `fetch` or `fetchV2`. Holds a status, or an error when no response arrived. */
export const FetchCall = z.object({
  method: z.string(),
  url: z.string(),
  status: z.number().optional(),
  error: z.string().optional(),
  milliseconds: z.number(),
});
export type FetchCall = z.output<typeof FetchCall>;

/**
 * How live runs of code and its libraries go: `warm` in a context that stays, `fresh` in a new one each time. The reason says what
 * the code must not do to become warm, and where: "keeps state: line 3, `seen`".
 */
export const CodeRuntime = z.object({ runtime: z.enum(['warm', 'fresh']), runtimeReason: z.string().optional() });
export type CodeRuntime = z.output<typeof CodeRuntime>;

/**
 * Runs a bundle over events. A failure of user code is a result and never an error of the call.
 *
 * Errors:
 * - `too_large`: the results of several events do not fit one reply, so send fewer
 * - `unavailable`: no child process is free
 * - `disabled`: user code is switched off, for this workspace or for all
 */
export const RunCode = defineCall({
  subject: 'sandbox.code.run.v1',
  request: z.object({
    workspaceId: Ksuid,
    bundle: CodeBundle,
    /** `metadata` is what user code gets from `metadata(event)`. */
    events: z.array(z.object({ message: JsonObject, metadata: JsonObject })).min(1),
    /** Logs are collected in tests only. */
    mode: z.enum(['live', 'test']),
    /** Whether `fetch` and `fetchV2` reach the network. Defaults to no. */
    allowFetch: z.boolean().optional(),
    /** Their values are masked in logs, errors and `fetches`, but not in output events. The code that shows those masks them. */
    credentials: z.array(UserCredential).max(RUN_CREDENTIALS_MAX).optional(),
  }),
  reply: z.object({
    results: z.array(EventResult),
    logs: z.array(z.string()),
    /** In tests, every call of `fetch` and `fetchV2`, ordered by the time it ended. Absent without calls. */
    fetches: z.array(FetchCall).optional(),
    /** Errors of returned elements that belong to no input (`transformBatch` only). */
    strayErrors: z.array(UserError.extend({ position })).optional(),
    /** In tests, unless the run failed as a whole. */
    ...CodeRuntime.partial().shape,
  }),
  deadlineMs: 10_000,
  example: {
    request: {
      workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
      bundle: {
        key: '0ujtsYcgvSTl8PAuAdqWYSMnLOw',
        name: 'keep all',
        code: 'export const transformEvent = (e) => e;',
        libraries: [],
      },
      events: [{ message: { type: 'track' }, metadata: {} }],
      mode: 'live',
    },
    reply: { results: [{ status: 'ok', outputs: [{ type: 'track' }] }], logs: [] },
  },
});

/** Compiles and links code without running its functions. A library is checked as a bundle of its own code. */
export const CheckCode = defineCall({
  subject: 'sandbox.code.check.v1',
  request: z.object({ workspaceId: Ksuid, bundle: CodeBundle, kind: z.enum(['transformation', 'library']) }),
  reply: z.object({ error: UserError.optional() }),
  deadlineMs: 10_000,
  example: {
    request: {
      workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
      bundle: { key: 'draft', name: 'my lib', code: 'export const a = 1;', libraries: [] },
      kind: 'library',
    },
    reply: {},
  },
});

/**
 * The only network access of user code (architecture section 1: sandbox → fetcher). `invalid` for a refused address. The subject
 * is older than the delivery service. It stays, so that sandboxes and fetchers of two releases serve each other in an upgrade.
 */
export const FetchUrl = defineCall({
  subject: 'runner.fetch.v1',
  request: z.object({
    workspaceId: Ksuid,
    url: z.string().max(2_048),
    method: z.string().max(16).default('GET'),
    headers: z.record(z.string(), z.string()).default({}),
    body: z.string().optional(),
  }),
  reply: z.object({ url: z.string(), status: z.number(), headers: z.record(z.string(), z.string()), body: z.string() }),
  deadlineMs: 3_000,
  example: {
    request: { workspaceId: '0ujtsYcgvSTl8PAuAdqWYSMnLOv', url: 'https://example.com/rates' },
    reply: { url: 'https://example.com/rates', status: 200, headers: {}, body: '{}' },
  },
});

/**
 * A fact that an operator sends over core NATS. Switches user code off or on, for one workspace or, without `workspaceId`, for
 * all. Every running sandbox obeys immediately, until it restarts. A lasting switch belongs in its environment.
 */
export const CODE_SWITCHED_SUBJECT = 'sandbox.code.switched.v1';
export const CodeSwitched = z.object({ workspaceId: Ksuid.optional(), disabled: z.boolean() });
export type CodeSwitched = z.output<typeof CodeSwitched>;
