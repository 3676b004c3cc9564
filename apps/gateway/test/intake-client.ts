import { EventBatch, type SourceRecord } from '@weir/contracts';
import { EVENTS_RAW, jsonOf, unpackBatches } from '@weir/messaging';
import { basic, patientManager, sourceRecord } from '@weir/testing';
import type { RunningGateway } from './running-gateway.js';

export interface Sent {
  status: number;
  text: string;
  headers: Headers;
}

/** The intake of the gateway under test, as seen by an SDK and by the rest of Weir. */
export function intakeClient(gateway: RunningGateway) {
  async function newSource(overrides: Partial<SourceRecord> = {}): Promise<SourceRecord> {
    const source = sourceRecord(overrides);
    await gateway.put('source', source);
    return source;
  }

  async function call(method: string, path: string, headers = {}, body?: string | Uint8Array): Promise<Sent> {
    const sent = body === undefined ? {} : { body: body as string | Uint8Array<ArrayBuffer> };
    const answer = await fetch(`${gateway.url}${path}`, { method, headers, ...sent });
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }

  function send(
    source: Pick<SourceRecord, 'writeKey'> | undefined,
    path: string,
    body: unknown,
    headers: Record<string, string> = {},
  ): Promise<Sent> {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const all = { ...(source && { authorization: basic(source.writeKey, '') }), ...headers };
    return call('POST', `/v1/${path}`, all, raw ? body : JSON.stringify(body));
  }

  /** Batches of a source in EVENTS_RAW with their subjects, in order. Nothing consumes the stream here. */
  async function placed({ workspaceId, id }: SourceRecord): Promise<{ subject: string; batch: EventBatch }[]> {
    const manager = await patientManager(gateway.nats.connection);
    const { state } = await manager.streams.info(EVENTS_RAW);
    const batches: { subject: string; batch: EventBatch }[] = [];
    for (let seq = state.first_seq; seq <= state.last_seq; seq += 1) {
      const message = await manager.streams.getMessage(EVENTS_RAW, { seq });
      if (!message?.subject.endsWith(`.${workspaceId}.${id}`)) continue;
      const { subject, data } = message;
      for (const json of unpackBatches(data).map(jsonOf)) batches.push({ subject, batch: EventBatch.parse(json) });
    }
    return batches;
  }

  const stored = async (source: SourceRecord) => (await placed(source)).map(({ batch }) => batch);
  const eventsOf = async (source: SourceRecord) => (await stored(source)).flatMap(({ events }) => events);

  return { newSource, call, send, placed, stored, eventsOf };
}
