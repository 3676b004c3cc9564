import { unwrap, type WeirClient } from '@weir/client';
import type { Json, JsonObject } from '../project/json.js';
import type { Compared, Made, Sample } from './incumbent.js';

/** Requests at a time. */
const AT_ONCE = 5;

/** Shows what Weir makes of events for a destination. Uses the stage of the Test API that sends nothing and stores nothing. */
export async function ours(weir: WeirClient, { id }: Compared, samples: readonly Sample[]): Promise<Map<string, Made>> {
  const made = new Map<string, Made>();
  for (let at = 0; at < samples.length; at += AT_ONCE)
    await Promise.all(
      samples.slice(at, at + AT_ONCE).map(async ({ messageId, event }) => {
        made.set(messageId, await ask(weir, id, { ...event, messageId }));
      }),
    );
  return made;
}

async function ask(weir: WeirClient, id: string, message: JsonObject): Promise<Made> {
  const stage = { user_transform: false, dest_transform: true, send_to_destination: false };
  const params = { path: { id }, query: { force: true } };
  const body = { message: message as { type: 'track' }, stage };
  const answer = await weir.POST('/v0/testDestination/{id}', { params, body });
  // The event itself is refused, such as one without a known type. Everything else ends the comparison.
  if (answer.error?.status === 400) return { error: answer.error.message };
  const { data: [first] = [], error: problem } = await unwrap(answer);
  const payload = first?.dest_transformed_payload;
  if (Array.isArray(payload)) return { payloads: payload as Json[] };
  const told = Reflect.get(Object(payload), 'error') ?? problem;
  return { error: String(told ?? 'no payload') };
}
