import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { refusedByBroker } from './refusals.js';

const ANSWER = '[7] [ERR] 127.0.0.1:1 - "nats.js" - Publish Violation - Subject "_INBOX_gateway.a.b"';
const EVENT = '[7] [ERR] 127.0.0.1:1 - "nats.js" - Publish Violation - User "filter", Subject "events.raw.1"';
const RELOADED = '[7] [INF] Reloaded: authorization users';

let logs: string;
const write = (name: string, ...lines: string[]) => writeFileSync(join(logs, name), lines.join('\n'));

beforeEach(() => {
  logs = mkdtempSync(join(tmpdir(), 'weir-refusals-'));
});
afterEach(() => rmSync(logs, { recursive: true }));

describe('what a broker refused', () => {
  it('is found in its log', () => {
    write('nats-server.log', ANSWER, '[7] [INF] Server is ready', EVENT);
    write('gateway.main.log', 'Violation');
    expect(refusedByBroker(logs)).toEqual([ANSWER, EVENT]);
  });

  it('counts no late answers if the broker read its users again', () => {
    write('nats-server.log', RELOADED, ANSWER, EVENT);
    expect(refusedByBroker(logs)).toEqual([EVENT]);
  });

  it('counts no late answers if the broker was started again', () => {
    write('nats-server.log', '[7] [INF] Server is ready', '[8] [INF] Server is ready', ANSWER, EVENT);
    expect(refusedByBroker(logs)).toEqual([EVENT]);
  });

  it('counts no late answers if somebody breaks connections', () => {
    write('nats-server.log', ANSWER, EVENT);
    expect(refusedByBroker(logs, true)).toEqual([EVENT]);
  });

  it('counts no late answers if there are several servers', () => {
    write('nats-server.log', EVENT);
    write('nats-server-2.log', ANSWER);
    expect(refusedByBroker(logs)).toEqual([EVENT]);
  });

  it('is nothing without a broker', () => {
    expect(refusedByBroker(join(logs, 'none'))).toEqual([]);
  });
});
