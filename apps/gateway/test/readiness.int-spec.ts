import { isDeepStrictEqual } from 'node:util';
import { it } from '@jest/globals';
import { healthCall, PROCESSES } from '@weir/contracts';
import { until } from '@weir/testing';
import { clientOf } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway({ READY_SCOPE: 'all' });
const others = PROCESSES.filter((name) => name !== 'gateway.main');
let sandbox = { ready: true, reasons: [] as string[] };
const processes = others.map((name) =>
  useStub(gateway.nats, healthCall(name), () =>
    name === 'code-sandbox.main' ? sandbox : { ready: true, reasons: [] },
  ),
);

const readyz = async () => {
  const { status, body } = await clientOf(gateway, 'nobody').get('/readyz');
  return { status, ...body };
};

/** A busy machine may miss the second that a process has to answer, and says so. */
const becomes = (expected: object) =>
  until(`readiness to be ${JSON.stringify(expected)}`, async () => isDeepStrictEqual(await readyz(), expected));

it('with READY_SCOPE=all waits for every process, and says which one is missing', async () => {
  await becomes({ status: 200, ready: true, reasons: [] });
  sandbox = { ready: false, reasons: ['children: none is up'] };
  await becomes({ status: 503, ready: false, reasons: ['code-sandbox.main: children: none is up'] });
  sandbox = { ready: true, reasons: [] };
  await processes[0]?.leave();
  await becomes({ status: 503, ready: false, reasons: [`${others[0]}: does not answer`] });
  await processes[0]?.join();
  await becomes({ status: 200, ready: true, reasons: [] });
});
