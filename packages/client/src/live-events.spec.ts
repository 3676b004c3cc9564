import type { ServerResponse } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { all, json, useServer } from '../test/server.js';
import { createClient, type LiveEvent } from './index.js';

const server = useServer();
const client = () => createClient({ url: server.url, token: 't1' });
const shows =
  (...texts: string[]) =>
  (_: unknown, response: ServerResponse) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const text of texts) response.write(text);
  };
const ACCEPTED = 'event: accepted\ndata: {"at":"2026-01-01T00:00:00.000Z","sourceId":"s1","name":"Bought"}\n\n';

describe('liveEvents', () => {
  it('reads events that arrive in pieces, and passes the filter on', async () => {
    server.script = [shows(': live\n\n', ACCEPTED.slice(0, 30), `${ACCEPTED.slice(30)}event: end\ndata: {}\n\n`)];
    const events = await all(client().liveEvents({ sourceId: 's1', reconnect: false }));
    expect(events).toMatchObject([{ event: 'accepted', data: { sourceId: 's1', name: 'Bought' } }, { event: 'end' }]);
    expect(server.seen).toEqual(['GET /v2/live-events?sourceId=s1']);
  });

  it('connects again after the end and after a connection that breaks', async () => {
    const breaks = (_: unknown, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(ACCEPTED, () => response.destroy());
    };
    server.script = [shows('event: end\ndata: {}\n\n'), breaks, shows(ACCEPTED)];
    const events: LiveEvent['event'][] = [];
    for await (const { event } of client().liveEvents()) {
      events.push(event);
      if (events.length === 4) break;
    }
    expect(events).toEqual(['end', 'accepted', 'end', 'accepted']);
  });

  it('closes the connection when the loop is left', async () => {
    const isClosed = new Promise<void>((resolve) => {
      server.script = [
        (_, response) => {
          response.on('close', resolve);
          shows(ACCEPTED)(_, response);
        },
      ];
    });
    for await (const _ of client().liveEvents()) break;
    await isClosed;
    expect(server.seen).toHaveLength(1);
  });

  it('ends without an error when the signal is aborted', async () => {
    server.script = [shows(ACCEPTED)];
    const leaving = new AbortController();
    const events: string[] = [];
    for await (const { event } of client().liveEvents({ signal: leaving.signal })) {
      events.push(event);
      leaving.abort();
    }
    expect(events[0]).toBe('accepted');
    expect(server.seen).toHaveLength(1);
  });

  it('throws the refusal of the server', async () => {
    server.script = [json(403, { message: 'no', code: 'FORBIDDEN' })];
    await expect(all(client().liveEvents())).rejects.toMatchObject({ status: 403, code: 'FORBIDDEN' });
  });
});
