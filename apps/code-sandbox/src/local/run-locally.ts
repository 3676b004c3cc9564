import {
  chunksOf,
  DEFAULT_EVENTS,
  inHalves,
  type JsonObject,
  PAYLOAD_BYTES_MAX,
  testMetadata,
  type UserCredential,
  usesCredentials,
} from '@weir/contracts';
import { TEST_RERUN_LIMIT_MS } from '../limits.js';
import type { ChildPool } from '../pool/child-pool.js';
import { EventRuns } from '../run/event-runs.js';
import { replyOf } from '../run/reply.js';
import { type Bundle, userErrorOf } from '../wire/protocol.js';

interface Input {
  message: JsonObject;
  metadata: JsonObject;
}

interface LocalRunRequest {
  action: 'run';
  bundle: Bundle;
  workspaceId: string;
  events: JsonObject[];
  credentials: UserCredential[];
}

/** A bundle over events as in a test, the check of a library, or the events of a test that names none. */
export type LocalRequest = LocalRunRequest | { action: 'check'; bundle: Bundle } | { action: 'default-events' };

/** There is one developer. A well-formed id keeps the pool's rules for workspaces. */
const WORKSPACE = '000000000000000000000000000';
/** As much as a test of a server leaves for the names and the envelope of a call. */
const CALL_BYTES = 8_192;

/** Runs or checks code as `sandbox.code.*` do. Each reply is the JSON of one call: many events need several. */
export async function runLocally(pool: ChildPool, request: LocalRequest): Promise<{ replies: string[] }> {
  if (request.action === 'default-events') return { replies: [JSON.stringify(DEFAULT_EVENTS)] };
  if (request.action === 'check') return { replies: [await check(pool, request.bundle)] };
  const { bundle, workspaceId, events } = request;
  const credentials = usesCredentials(bundle) ? request.credentials : [];
  const bytesMax = PAYLOAD_BYTES_MAX - CALL_BYTES - Buffer.byteLength(JSON.stringify([bundle, credentials]));
  const inputs = events.map((message) => ({ message, metadata: testMetadata(workspaceId, message) }));
  const replies: string[] = [];
  for (const chunk of chunksOf(inputs, { bytesMax }))
    replies.push(...(await inHalves(chunk, (part) => run(pool, bundle, part, credentials))));
  return { replies };
}

const HOW = { isPartial: false, isShareable: false, allowFetch: false };

async function check(pool: ChildPool, bundle: Bundle): Promise<string> {
  const work = { ...HOW, bundle, action: 'check-library' as const, events: [], collectLogs: false, credentials: [] };
  const { failure } = await pool.perform(WORKSPACE, work);
  return JSON.stringify(failure ? { error: userErrorOf(failure) } : {});
}

/** As `sandbox.code.run` replies. Rejects results that do not fit one reply, as a server does. */
async function run(
  pool: ChildPool,
  bundle: Bundle,
  events: readonly Input[],
  credentials: UserCredential[],
): Promise<string> {
  const bytes = events.map((event) => Buffer.from(JSON.stringify(event)));
  const work = { ...HOW, bundle, action: 'run' as const, collectLogs: true, events: bytes, credentials };
  const runs = new EventRuns(work, (one, limitMs) => pool.perform(WORKSPACE, one, { limitMs }), TEST_RERUN_LIMIT_MS);
  await runs.run();
  return Buffer.concat(replyOf(runs)).toString();
}
