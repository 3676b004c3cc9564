import { expect, it } from '@jest/globals';
import { healthCall, ListReceiptKeys, PROCESSES } from '@weir/contracts';
import { Database, Metrics } from '@weir/service-kit';
import { clientOf } from './client.js';
import { useGateway } from './running-gateway.js';
import { useStub } from './stub-services.js';

const gateway = useGateway({ READY_SCOPE: 'all' });
const others = PROCESSES.filter((name) => name !== 'gateway.main').map((name) =>
  useStub(gateway.nats, healthCall(name), () => ({ ready: true, reasons: [] })),
);
const keys = useStub(gateway.nats, ListReceiptKeys, () => ListReceiptKeys.reply.parse(ListReceiptKeys.example.reply));

const PROBES = 200;
/** Statements that wait for their turn longer than a check has. */
const WAITING = 600;

const nobody = () => clientOf(gateway, 'nobody');
const probe = (path: string) => Promise.all(Array.from({ length: PROBES }, () => nobody().get(path)));
async function statements(): Promise<number> {
  const text = await gateway.app.get(Metrics).text();
  return Number(/^weir_database_query_seconds_count\S* (\d+)$/m.exec(text)?.[1]);
}

it('many probes of strangers cost few statements and calls', async () => {
  const before = await statements();
  for (const path of ['/health', '/readyz', '/v2/receipt-keys']) {
    const answers = await probe(path);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
  expect((await statements()) - before).toBeLessThan(PROBES / 2);
  for (const { requests } of [...others, keys]) expect(requests.length).toBeLessThan(PROBES / 10);
});

it('a process whose database answers is ready, however many wait for a connection', async () => {
  const database = gateway.app.get(Database);
  const waiting = Array.from({ length: WAITING }, () => database.run('SELECT pg_sleep(0.1)'));
  let isOver = false;
  const all = Promise.all(waiting).then(() => {
    isOver = true;
  });
  await waiting[WAITING / 2];
  const { status, body } = await nobody().get('/readyz');
  expect([status, body, isOver]).toEqual([200, { ready: true, reasons: [] }, false]);
  await all;
});
