/** One event of a stream of server-sent events. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events (HTML standard, 9.2.6). Comments and `id` are left out, because live events have no positions to go
 * on from. Leaving the loop closes the connection.
 */
export async function* serverSentEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n\n');
      rest = lines.pop() ?? '';
      for (const block of lines) {
        const event = eventOf(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function eventOf(block: string): ServerSentEvent | undefined {
  const valuesOf = (field: string) =>
    block
      .split('\n')
      .filter((line) => line.startsWith(`${field}:`))
      .map((line) => line.slice(field.length + 1).trim());
  const data = valuesOf('data');
  return data.length > 0 ? { event: valuesOf('event').at(-1) ?? 'message', data: data.join('\n') } : undefined;
}
