import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PROCESSES } from '@weir/contracts';
import { DEFAULT_APPS_DIR, sharedStack } from '@weir/local';
import { api, type RecordingServer, recordingServer, until } from '@weir/testing';
import { pipeline } from '../support/traffic.js';
import { UNKNOWN_ID } from '../support/workspace.js';

const CHART = join(DEFAULT_APPS_DIR, '../deploy/helm/weir/files');
const MARK = 'hush-hush';
/** Processes that pull from the broker's durable consumers. */
const PULLING = ['regulation-service.filter', 'delivery-service.deliverer', 'schema-service.collector'];
/** Metrics of Prometheus, Kubernetes and cert-manager. */
const FOREIGN = [
  'up',
  'certmanager_certificate_expiration_timestamp_seconds',
  'kube_deployment_spec_replicas',
  'kube_deployment_status_replicas_available',
  'kube_job_failed',
  'kubelet_volume_stats_available_bytes',
  'kubelet_volume_stats_capacity_bytes',
];
/** Metrics of the archiver, which this stack does not run. Its own test looks for them. */
const OF_ARCHIVER = ['weir_archive_failures_total'];
const WORDS_OF_PROMQL =
  'abs and by count histogram_quantile increase label_replace le max max_over_time min on or rate sum time timestamp topk vector'.split(
    ' ',
  );

/** Reads the metrics of every process as Prometheus does. */
describe('metrics', () => {
  let hook: RecordingServer;
  let texts: Record<string, string>;
  let ids: string[];

  const get = (process: string, path: string) => fetch(`${sharedStack().opsUrls[process]}${path}`);
  const scrape = async () => {
    const read = async (process: string) => [process, await (await get(process, '/metrics')).text()];
    return Object.fromEntries(await Promise.all(PROCESSES.map(read))) as Record<string, string>;
  };

  beforeAll(async () => {
    hook = await recordingServer();
    const { writeKey, sourceId, destinationId } = await pipeline(sharedStack(), hook, MARK);
    ids = [writeKey, sourceId, destinationId];
    const event = { userId: `${MARK}-user`, event: MARK, context: { ip: '203.0.113.77' } };
    await api(sharedStack(), { writeKey }).post('/v1/track', event);
    await api(sharedStack()).get(`/v2/sources/${sourceId}`);
    await api(sharedStack()).get(`/transformations/${UNKNOWN_ID}`);
    await until('the event to arrive', () => hook.requests.length > 0);
    await until('it to be counted', async () =>
      /schema_events_total\S* [1-9]/.test((await scrape())['schema-service.collector'] ?? ''),
    );
    texts = await scrape();
  });

  afterAll(() => hook.close());

  it.each(PROCESSES)('%s lives, is ready and says so', async (process) => {
    const live = await get(process, '/livez');
    expect([live.status, await live.json()]).toEqual([200, { live: true }]);
    // a process that got no processor for some seconds is rightly not ready, until it has its leases again
    const ready = await until('readiness', async () => {
      const answer = await get(process, '/readyz');
      return answer.status === 200 && answer.json();
    });
    expect(ready).toEqual({ ready: true, reasons: [] });
  });

  it('rate, errors and duration by route template', () => {
    expect(texts['gateway.main']).toMatch(
      /^http_request_duration_seconds_count\{(?=.*method="GET")(?=.*route="\/v2\/sources\/:\w+")(?=.*status="200").*\} [1-9]\d*$/m,
    );
    expect(texts['gateway.main']).toMatch(/^http_request_duration_seconds_count\{(?=.*route="\/v1\/track").*\} [1-9]/m);
  });

  it('rate, errors and duration by subject, on both sides', () => {
    const subject = 'subject="registry.transformation.get.v1"';
    const code = 'code="not_found"';
    const counted = (name: string) => new RegExp(`^${name}\\{(?=.*${subject})(?=.*${code}).*\\} [1-9]\\d*$`, 'm');
    expect(texts['transformation-registry.main']).toMatch(counted('weir_call_duration_seconds_count'));
    expect(texts['gateway.main']).toMatch(counted('weir_calls_sent_total'));
    expect(texts['code-sandbox.main']).toMatch(
      /^weir_call_duration_seconds_count\{(?=.*subject="sandbox.code.run.v1")(?=.*code="ok").*\} [1-9]/m,
    );
  });

  // the broker is asked on each scrape, and a busy one may not answer in time
  it.each(PULLING)('how far behind %s is, consumer by consumer', async (process) => {
    for (const state of ['pending', 'ack_pending']) {
      const series = new RegExp(
        `^weir_consumer_messages\\{(?=.*consumer="\\w+-\\d+")(?=.*state="${state}").*\\} \\d+$`,
        'gm',
      );
      await until(`16 series of ${state}`, async () => (await scrape())[process]?.match(series)?.length === 16);
    }
  });

  it('exist under every name that alerts and dashboards use', () => {
    const expressions = ['alerts.yaml', 'dashboards.yaml'].flatMap((file) => {
      const text = readFileSync(join(CHART, file), 'utf8');
      return [...text.matchAll(/\b(?:expr: |query: '|quantiles: ')(.+?)(?:' \}|$)/gm)].map(([, expr = '']) => expr);
    });
    expect(expressions.length).toBeGreaterThan(80);
    const used = new Set(expressions.flatMap(namesOf));
    const exposed = new Set(
      Object.values(texts).flatMap((text) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name)),
    );
    const elsewhere = [...FOREIGN, ...OF_ARCHIVER];
    expect([...used].filter((name) => !exposed.has(name) && !elsewhere.includes(name))).toEqual([]);
  });

  it('have names as Prometheus wants them', () => {
    for (const text of Object.values(texts)) {
      const types = [...text.matchAll(/^# TYPE (\S+) (\w+)/gm)].filter(
        ([, name = '']) => !/^(nodejs|process)_/.test(name),
      );
      for (const [, name = '', type] of types) {
        if (type === 'counter') expect(name).toMatch(/^[a-z_]+_total$/);
        if (type === 'histogram') expect(name).toMatch(/^[a-z_]+_seconds$/);
      }
    }
  });

  it('say nothing of anybody', () => {
    const all = Object.values(texts).join('\n');
    const { accessToken, email } = sharedStack();
    expect([...ids, MARK, '203.0.113.77', accessToken, email].filter((text) => all.includes(text))).toEqual([]);
  });
});

/** The metric names in an expression, without labels, functions and histogram suffixes. */
function namesOf(expression: string): string[] {
  const bare = expression.replaceAll(/\{[^}]*\}|"[^"]*"/g, '').replaceAll(/\b(?:by|on|without) \([^)]*\)/g, '');
  const words = bare.match(/[a-z_][a-z_0-9]{1,}/g) ?? [];
  return words
    .filter((word) => !WORDS_OF_PROMQL.includes(word))
    .map((word) => word.replace(/_(bucket|count|sum)$/, ''));
}
