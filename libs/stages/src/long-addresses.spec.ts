import { afterAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@weir/contracts';
import { destinationKind } from '@weir/destinations';
import { Egress } from '@weir/egress';
import { sendStage } from './send-stage.js';

/** Every name leads to this machine, where nothing may be sent. So what is not refused before has an acceptable address. */
const egress = new Egress({ allowCidrs: [], refuse: [], lookup: async () => [{ address: '127.0.0.1', family: 4 }] });
afterAll(() => egress.close());

async function sendTo(type: string, event: JsonObject, config: JsonObject) {
  const kind = destinationKind(type);
  if (!kind) throw new Error(`${type} is no kind`);
  const [payload] = kind.transform(event, config);
  if (!payload) throw new Error('There is no payload');
  return sendStage(kind, payload, config, egress);
}

describe('an event in the query of an address', () => {
  const event = (length: number) => ({
    ...{ type: 'track', event: 'Report Opened', userId: 'ada', context: { ip: '192.0.2.1' } },
    properties: { note: 'x'.repeat(length) },
  });

  it('may have 3 KB at a vendor with a constant address', async () => {
    const { response } = await sendTo('WOOPRA', event(3_000), { projectName: 'example.com' });
    expect(response).toBe('The address of the destination cannot be resolved or is not allowed');
  });

  it('is refused with 20 KB before it is sent', async () => {
    await expect(sendTo('WOOPRA', event(20_000), { projectName: 'example.com' })).rejects.toThrow(
      'The event needs an address of more than 8192 characters',
    );
  });

  it('has no more than usual at an address of the configuration', async () => {
    const webhookUrl = `https://hooks.example.com/?a=${'a'.repeat(2_100)}`;
    const { response } = await sendTo('WEBHOOK', event(1), { webhookUrl });
    expect(response).toBe('The URL is longer than 2048 characters');
  });
});
