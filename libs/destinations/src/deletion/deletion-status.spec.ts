import { describe, expect, it } from '@jest/globals';
import { bodyOf, forget, statusOf } from '../../test/deletion.fixtures.js';

const amplitude = { apiKey: 'k', apiSecret: 's' };
const mixpanel = { token: 't', gdprApiToken: 'g', userDeletionApi: 'task', dataResidency: 'eu' };
const appsflyer = { apiToken: 'a', androidAppId: 'com.shop' };

describe('the job reference of a forwarded deletion', () => {
  it('is the days of the jobs at Amplitude', async () => {
    const body = [{ day: '2026-02-03', status: 'staging' }, { day: '2026-02-03' }, { day: '<script>' }];
    const { outcome } = await forget('AM', amplitude, [{ userId: 'ada' }], [{ status: 200, body }]);
    expect(outcome).toEqual({ status: 'forwarded', jobReference: '2026-02-03' });
  });

  it.each([
    [{ results: [{ tracking_id: '158', status: 'PENDING' }] }, { status: 'forwarded', jobReference: '158' }],
    [{ results: { task_id: 'a-b' } }, { status: 'forwarded', jobReference: 'a-b' }],
    ['no JSON', { status: 'forwarded' }],
  ])('is the id of the task at Mixpanel: %j', async (body, outcome) => {
    expect((await forget('MP', mixpanel, [{ userId: 'ada' }], [{ status: 200, body }])).outcome).toEqual(outcome);
  });

  it('is the id that Weir gave at AppsFlyer', async () => {
    const { outcome, sent } = await forget('AF', appsflyer, [{ userId: 'ada' }], [{ status: 201 }]);
    expect(outcome).toEqual({ status: 'forwarded', jobReference: bodyOf(sent[0])['subject_request_id'] });
  });
});

describe('what became of a forwarded deletion', () => {
  it.each([
    ['done', { status: 'complete' }],
    ['submitted', { status: 'forwarded' }],
    ['staging', { status: 'forwarded' }],
  ])('is told by the job of the day at Amplitude: %s', async (status, outcome) => {
    const jobs = [
      { day: '2026-02-03', status },
      { day: '2026-02-04', status: 'done' },
    ];
    const { sent, ...told } = await statusOf('AM', amplitude, '2026-02-04,2026-02-03', [{ status: 200, body: jobs }]);
    expect(told.outcome).toEqual(outcome);
    expect(sent[0]).toMatchObject({
      method: 'GET',
      url: 'https://amplitude.com/api/2/deletions/users?start_day=2026-02-03&end_day=2026-02-04',
    });
  });

  it.each([
    ['PENDING', { status: 'forwarded' }],
    ['STAGING', { status: 'forwarded' }],
    ['STARTED', { status: 'forwarded' }],
    ['SUCCESS', { status: 'complete' }],
    ['FAILURE', { status: 'aborted' }],
    ['REVOKED', { status: 'aborted' }],
    ['NOT_FOUND', { status: 'failed' }],
    ['UNKNOWN', { status: 'failed' }],
  ])('is told by the task at Mixpanel: %s', async (status, outcome) => {
    const answer = { status: 200, body: { status: 'ok', results: { status, result: '' } } };
    const { sent, ...told } = await statusOf('MP', mixpanel, '158', [answer]);
    expect(told.outcome).toMatchObject(outcome);
    expect(sent[0]?.url).toBe('https://eu.mixpanel.com/api/app/data-deletions/v3.0/158?token=t');
    expect(sent[0]?.headers['authorization']).toBe('Bearer g');
  });

  it.each([
    ['pending', { status: 'forwarded', jobReference: 'id-1' }],
    ['in_progress', { status: 'forwarded', jobReference: 'id-1' }],
    ['completed', { status: 'complete' }],
    ['canceled', { status: 'aborted', reason: 'AppsFlyer cancelled the request' }],
  ])('is told by the request at AppsFlyer: %s', async (status, outcome) => {
    const answer = { status: 200, body: { request_status: status } };
    const { sent, ...told } = await statusOf('AF', appsflyer, 'id-1', [answer]);
    expect(told.outcome).toEqual(outcome);
    expect(sent[0]?.url).toBe('https://hq1.appsflyer.com/api/gdpr/v1/opendsr_requests/id-1');
  });

  it.each([
    [{ status: 500 }, 'Mixpanel answered 500'],
    [{ status: 404 }, 'Mixpanel answered 404'],
    [{ status: 401 }, 'Mixpanel refused the credentials (401)'],
    [{ status: 200, body: '<html>' }, 'Mixpanel gave an answer that cannot be read'],
  ])('is asked again after %j', async (answer, reason) => {
    expect((await statusOf('MP', mixpanel, '158', [answer])).outcome).toEqual({ status: 'failed', reason });
  });

  it('is asked again when the vendor said', async () => {
    const answer = { status: 429, headers: { 'retry-after': '60' } };
    expect((await statusOf('AM', amplitude, '2026-02-03', [answer])).outcome).toMatchObject({ retryAfterMs: 60_000 });
  });
});
