import { CliError } from '../core/errors.js';
import { ExitCode } from '../core/exit-code.js';
import { isObject, type Json, type JsonObject } from '../project/json.js';

/** Bounds of one answer of a transformer, which anybody may have written. */
const ANSWER_BYTES_MAX = 32 * 1_024 * 1_024;
const ANSWER_SECONDS_MAX = 60;

/** A destination as both sides get it. */
export interface Compared {
  id: string;
  name: string;
  type: string;
  config: JsonObject;
}

/** An event with the id that ties both answers together. */
export interface Sample {
  messageId: string;
  event: JsonObject;
}

/** The result of one side for an event: requests for the vendor, or why there are none. */
export type Made = { payloads: Json[] } | { error: string };

/** The other side. Events that it does not answer are missing in the result. */
export interface Incumbent {
  answers(destination: Compared, samples: readonly Sample[], signal: AbortSignal): Promise<Map<string, Made>>;
  /** Why it has no answer for a destination. */
  problem(destination: Compared): string | undefined;
}

/** A running transformer: `POST /v0/destinations/{type}`. It gets the settings of the destination, and sends nothing. */
export function transformerAt(url: string): Incumbent & { recorded: Record<string, Json[]> } {
  const recorded: Record<string, Json[]> = {};
  const problems = new Map<string, string>();
  return {
    recorded,
    problem: ({ name }) => problems.get(name),
    async answers(destination, samples, signal) {
      const path = `/v0/destinations/${encodeURIComponent(destination.type.toLowerCase())}`;
      const body = samples.map((sample, at) => requestOf(destination, sample, at));
      const answer = await post(`${url}${path}`, body, signal);
      if (answer.status !== 200) {
        problems.set(destination.name, `${path} answers ${answer.status}`);
        return new Map();
      }
      recorded[destination.name] = [...(recorded[destination.name] ?? []), ...answer.items];
      return byMessage(answer.items);
    },
  };
}

/** Answers of a transformer in a file: a list by the name of each destination, as `--record` writes them. */
export function recordedAnswers(json: unknown): Incumbent {
  if (!isObject(json) || !Object.values(json).every(Array.isArray))
    throw new CliError(
      'The recording must have a list of answers for each name of a destination',
      'Make one: --record.',
    );
  return {
    problem: ({ name }) => (Object.hasOwn(json, name) ? undefined : 'The recording does not have it'),
    answers: async ({ name }) => byMessage(Object.hasOwn(json, name) ? (json[name] as Json[]) : []),
  };
}

const requestOf = ({ id, name, type, config }: Compared, { messageId, event }: Sample, jobId: number) => ({
  message: { ...event, messageId },
  metadata: { jobId, messageId, destinationId: id, destinationType: type },
  destination: {
    ...{ ID: id, Name: name, Enabled: true, IsProcessorEnabled: true, Config: config, Transformations: [] },
    DestinationDefinition: { Name: type, DisplayName: type, Config: {} },
  },
});

/** One event can have several answers, each with one request. */
function byMessage(items: readonly Json[]): Map<string, Made> {
  const found = new Map<string, Made>();
  for (const item of items) {
    if (!isObject(item) || !isObject(item['metadata'])) continue;
    const messageId = String(item['metadata']['messageId']);
    const before = found.get(messageId);
    const earlier = before && 'payloads' in before ? before.payloads : [];
    if (item['output'] !== undefined) found.set(messageId, { payloads: [...earlier, item['output']] });
    else found.set(messageId, { error: String(item['error'] ?? `status ${String(item['statusCode'])}`) });
  }
  return found;
}

async function post(url: string, body: unknown, signal: AbortSignal): Promise<{ status: number; items: Json[] }> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(ANSWER_SECONDS_MAX * 1_000)]),
    });
    const text = await bounded(answer);
    const items: unknown = answer.status === 200 ? JSON.parse(text) : [];
    if (!Array.isArray(items)) throw new Error('the answer is not a list');
    return { status: answer.status, items };
  } catch (error) {
    if (signal.aborted) throw error;
    const { message, cause } = error as Error;
    const why = cause instanceof Error ? cause.message : message;
    throw new CliError(`${url} does not answer as a transformer: ${why}`, 'Is it running there?', ExitCode.unavailable);
  }
}

async function bounded(answer: Response): Promise<string> {
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error(`the answer has more than ${ANSWER_BYTES_MAX} bytes`);
    parts.push(decoder.decode(chunk, { stream: true }));
  }
  return parts.join('');
}
