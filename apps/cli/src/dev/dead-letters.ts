import { type Schema, unwrap, type WeirClient } from '@weir/client';
import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import type { JsonObject } from '../project/json.js';

/** Each needs its own request. The newest ones show what is wrong. */
export const EVENTS_MAX = 200;
/** Requests at a time. */
const AT_ONCE = 8;

/** Which dead letters, as `POST /v2/deliveries/replay` chooses them. */
export type Chosen = Pick<Schema<'ReplayRequest'>, 'ids' | 'destinationId' | 'from' | 'stage'>;

export interface DeadLetter {
  id: string;
  reason: string;
  event: JsonObject;
}

/** The newest dead letters with their events, which only tokens of the role `admin` may see. `tell` is told how many are read. */
export async function deadLetters(
  weir: WeirClient,
  chosen: Chosen,
  tell: (text: string) => void,
): Promise<DeadLetter[]> {
  const ids = (chosen.ids ?? (await idsOf(weir, chosen))).slice(0, EVENTS_MAX);
  const found: DeadLetter[] = [];
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    found.push(...(await Promise.all(ids.slice(at, at + AT_ONCE).map((id) => read(weir, id)))));
    tell(`${found.length} of ${ids.length}`);
  }
  return found;
}

async function idsOf(weir: WeirClient, { destinationId, from, stage }: Chosen): Promise<string[]> {
  const query = { status: 'dead' as const, ...(destinationId && { destinationId }) };
  const ids: string[] = [];
  for await (const one of weir.paginate('/v2/deliveries', { params: { query } })) {
    // Newest first, so what follows is older.
    if (ids.length >= EVENTS_MAX || (from !== undefined && one.lastAttemptAt < from)) break;
    if (!one.eventDropped && (stage === undefined || one.stage === stage)) ids.push(one.id);
  }
  return ids;
}

async function read(weir: WeirClient, id: string): Promise<DeadLetter> {
  const { event, eventDropped, reason } = await unwrap(weir.GET('/v2/deliveries/{id}', { params: { path: { id } } }));
  if (event) return { id, reason, event: event as JsonObject };
  if (eventDropped)
    throw new CliError(`The event of dead letter ${id} was not kept`, 'Choose others.', ExitCode.notFound);
  throw new CliError(
    'This token may not see events',
    'Use one with the role admin, or run --samples through the code.',
    ExitCode.notAllowed,
  );
}
