import { describe, expect, it } from '@jest/globals';
import { type JsonObject, StageFlags, type StageResults } from '@weir/contracts';
import type { Payload } from '@weir/destinations';
import type { UserOutcome } from '@weir/stages';
import { runStages, type StagePorts } from './run-stages.js';

const message = { type: 'track', event: 'Paid' };
const USER_ABORT = { error: 'error encountered in user_transformation stage. Aborting.' };
const DEST_ABORT = { error: 'error encountered in dest_transformation stage. Aborting.' };
const DROPPED = { error: 'event dropped in user_transformation stage. Skipping.' };
const UNLINKED = { error: 'Transformation VersionID not found' };

const payloadOf = (event: JsonObject, part = 0) => ({ of: event, part }) as unknown as Payload;

interface Scene {
  outcome?: UserOutcome;
  /** Payloads per event. A string is the error of the destination transformation. */
  payloads?: number | string;
  refusal?: string;
}

async function run(flags: Partial<StageFlags>, { outcome, payloads = 1, refusal }: Scene = {}) {
  const calls: string[] = [];
  const ports: StagePorts = {
    refusal,
    runCode: async () => {
      calls.push('code');
      return outcome ?? { status: 'unlinked' };
    },
    transform: async (event) => {
      calls.push('transform');
      if (typeof payloads === 'string') return { status: 'failed', reason: payloads };
      return { status: 'passed', payloads: Array.from({ length: payloads }, (_, part) => payloadOf(event, part)) };
    },
    send: async (payload) => {
      calls.push('send');
      return { verdict: 'delivered', status: 200, response: { got: payload } };
    },
  };
  const data = await runStages(message, StageFlags.parse(flags), ports);
  return { data, calls };
}

const U = { user_transform: true };
const D = { dest_transform: true };
const S = { send_to_destination: true };
const changed = { type: 'track', event: 'Changed' };
const ok: UserOutcome = { status: 'ok', outputs: [changed] };
const threw: UserOutcome = { status: 'error', error: { message: 'Error: boom\n    at transformEvent (mine:1:7)' } };
const dropped: UserOutcome = { status: 'dropped' };
const sent = (event: JsonObject) => ({
  dest_transformed_payload: [payloadOf(event)],
  destination_response: [{ got: payloadOf(event) }],
  destination_response_status: [200],
});

type Row = [string, Partial<StageFlags>, Scene, StageResults, string[]];

const rows: Row[] = [
  ['nothing asked', {}, {}, {}, []],
  ['sending alone does not send', S, {}, {}, []],
  ['code alone', U, { outcome: ok }, { user_transformed_payload: changed }, ['code']],
  ['code and sending do not send', { ...U, ...S }, { outcome: ok }, { user_transformed_payload: changed }, ['code']],
  ['transform alone', D, {}, { dest_transformed_payload: [payloadOf(message)] }, ['transform']],
  ['transform and send', { ...D, ...S }, {}, sent(message), ['transform', 'send']],
  [
    'everything',
    { ...U, ...D, ...S },
    { outcome: ok },
    { user_transformed_payload: changed, ...sent(changed) },
    ['code', 'transform', 'send'],
  ],
  [
    'no transformation is connected: the next stages run on the message',
    { ...U, ...D, ...S },
    {},
    { user_transformed_payload: UNLINKED, ...sent(message) },
    ['code', 'transform', 'send'],
  ],
  ['no transformation is connected, code alone', U, {}, { user_transformed_payload: UNLINKED }, ['code']],
  [
    'code that throws aborts the later stages',
    { ...U, ...D, ...S },
    { outcome: threw },
    {
      user_transformed_payload: { error: 'Error: boom\n    at transformEvent (mine:1:7)' },
      dest_transformed_payload: USER_ABORT,
      destination_response: DEST_ABORT,
    },
    ['code'],
  ],
  [
    'code that throws leaves no key of a stage that was not asked for',
    { ...U, ...D },
    { outcome: threw },
    {
      user_transformed_payload: { error: 'Error: boom\n    at transformEvent (mine:1:7)' },
      dest_transformed_payload: USER_ABORT,
    },
    ['code'],
  ],
  [
    'a dropped event skips the later stages',
    { ...U, ...D, ...S },
    { outcome: dropped },
    { user_transformed_payload: null, dest_transformed_payload: DROPPED, destination_response: DROPPED },
    ['code'],
  ],
  ['a dropped event, code alone', U, { outcome: dropped }, { user_transformed_payload: null }, ['code']],
  [
    'an empty array drops the event',
    { ...U, ...D },
    { outcome: { status: 'ok', outputs: [] } },
    { user_transformed_payload: null, dest_transformed_payload: DROPPED },
    ['code'],
  ],
  [
    'a failed transform aborts sending',
    { ...D, ...S },
    { payloads: 'no such thing' },
    { dest_transformed_payload: { error: 'no such thing' }, destination_response: DEST_ABORT },
    ['transform'],
  ],
  [
    'a failed transform without sending',
    D,
    { payloads: 'no such thing' },
    { dest_transformed_payload: { error: 'no such thing' } },
    ['transform'],
  ],
  [
    'a kind that filters the event out sends nothing',
    { ...D, ...S },
    { payloads: 0 },
    { dest_transformed_payload: [], destination_response: [], destination_response_status: [] },
    ['transform'],
  ],
  [
    'what may not be sent is shown and not sent',
    { ...D, ...S },
    { refusal: 'not this user' },
    { dest_transformed_payload: [payloadOf(message)], destination_response: { error: 'not this user' } },
    ['transform'],
  ],
];

describe('runStages', () => {
  it.each(rows)('%s', async (_, flags, scene, element, calls) => {
    const result = await run(flags, scene);
    expect(result.data).toStrictEqual([element]);
    expect(result.calls).toEqual(calls);
  });

  it('gives one element for each event that came out, in order', async () => {
    const outputs = [changed, message];
    const { data } = await run({ ...U, ...D, ...S }, { outcome: { status: 'ok', outputs } });
    expect(data).toStrictEqual(outputs.map((event) => ({ user_transformed_payload: event, ...sent(event) })));
  });

  it('sends every payload of an event, one after the other', async () => {
    const { data, calls } = await run({ ...D, ...S }, { payloads: 3 });
    expect(data[0]?.destination_response_status).toEqual([200, 200, 200]);
    expect(calls).toEqual(['transform', 'send', 'send', 'send']);
  });
});
