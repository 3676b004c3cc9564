import { expect, it } from '@jest/globals';
import { Health } from '@weir/service-kit';
import { until, useTcpProxy } from '@weir/testing';
import { clientOf } from './client.js';
import { intakeClient } from './intake-client.js';
import { useGateway } from './running-gateway.js';

const proxy = useTcpProxy(() => gateway.database.url);
const gateway = useGateway(() => ({ DATABASE_URL: proxy.url }));
const { newSource, send, stored } = intakeClient(gateway);

const probe = async (path: string) => {
  const { status, body } = await clientOf(gateway, 'nobody').get(path);
  return { status, ...body };
};

it('a gateway that has lost its database takes events, and a load balancer goes on sending them', async () => {
  const source = await newSource();
  expect(await probe('/servez')).toEqual({ status: 200, ready: true, reasons: [] });
  proxy.hold();
  await until('readiness to tell of the loss', async () => (await probe('/readyz')).status === 503);
  expect(await probe('/readyz')).toMatchObject({ reasons: ['database: does not answer'] });
  expect(await probe('/servez')).toEqual({ status: 200, ready: true, reasons: [] });
  expect(await probe('/health')).toEqual({ status: 200, server: 'UP', acceptingEvents: 'TRUE' });
  expect(await send(source, 'track', { userId: 'u', event: 'Bought' })).toMatchObject({ status: 200 });
  expect(await stored(source)).toHaveLength(1);
  proxy.release();
});

it('one that stops is sent nothing more', async () => {
  gateway.app.get(Health).register('process', () => 'is stopping');
  expect(await probe('/servez')).toEqual({ status: 503, ready: false, reasons: ['process: is stopping'] });
});
