import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { settingsJudge } from './judge-settings.js';
import { loadProject } from './load.js';

const folder = mkdtempSync(join(tmpdir(), 'weir-settings-'));
afterAll(() => rmSync(folder, { recursive: true }));

const judge = settingsJudge({
  WEBHOOK: {
    secretKeys: ['headers.to'],
    configSchema: {
      type: 'object',
      required: ['webhookUrl', 'account'],
      'x-patterns': [{ list: 'events', text: 'name', when: 'isPattern' }],
      properties: {
        webhookUrl: { type: 'string', pattern: '^https?://.' },
        headers: { type: 'array', items: { type: 'object', properties: { to: { type: 'string' } } } },
        limits: { type: 'object', properties: { daily: { type: 'number' } } },
      },
    },
  },
});

/** The verdict about the one destination of this project. */
function judged(yaml: string, env = {}) {
  writeFileSync(join(folder, 'weir.yaml'), `destinations:\n  - name: hook\n    type: WEBHOOK\n${yaml}`);
  const [hook] = loadProject(folder, { env }).destinations;
  if (!hook) throw new Error('the project has a destination');
  const { problems, warnings } = judge(hook);
  const here = relative('.', folder);
  return [...problems, ...warnings].map((text) => text.replaceAll(`${here}/`, ''));
}
const HEAD = 'destination "hook" (WEBHOOK)';

describe('settings', () => {
  it('that do not fit are told with file, line, kind and what is allowed', () => {
    expect(
      judged('    config:\n      account: a\n      webhookUrl: ftp://x\n      headers:\n        - to: 1\n'),
    ).toEqual([
      `weir.yaml:6: ${HEAD}: config.webhookUrl has an unexpected form: it must match ^https?://.`,
      `weir.yaml:8: ${HEAD}: config.headers.0.to must be a string`,
    ]);
  });

  it('that do not fit are told by line, as somebody corrects them', () => {
    const yaml = '    config:\n      account: a\n      limits: { daily: many }\n      webhookUrl: ftp://x\n';
    expect(judged(yaml).map((text) => text.split(':')[1])).toEqual(['6', '7']);
  });

  it.each([
    ['    config:\n      limits: {}\n', 5, 'config.webhookUrl, config.account'],
    ['    enabled: false\n', 2, 'config.webhookUrl, config.account'],
  ])('that are missing are told where they belong: %j', (yaml, line, missing) => {
    expect(judged(yaml)).toEqual([`weir.yaml:${line}: ${HEAD} is incomplete and gets no events: add ${missing}`]);
  });

  it('are judged as the reference resolves, and told by its name', () => {
    const yaml =
      '    config:\n      account: a\n      webhookUrl: "{{ env.URL }}"\n      limits: "{{ env.LIMITS as json }}"\n';
    const env = { URL: 'https://a.example', LIMITS: '{"daily":5}' };
    expect(judged(yaml, env)).toEqual([]);
    expect(judged(yaml, { URL: 'top-secret', LIMITS: '{"daily":"top-secret"}' })).toEqual([
      `weir.yaml:6: ${HEAD}: config.webhookUrl has an unexpected form: it must match ^https?://. (it is set from env.URL)`,
      `weir.yaml:7: ${HEAD}: config.limits.daily must be a number (it is set from env.LIMITS)`,
    ]);
  });

  it('are not quoted if they are a pattern from a reference', () => {
    const events = (name: string) =>
      `    config:\n      webhookUrl: https://a\n      account: a\n      events:\n        - { isPattern: true, name: "${name}" }\n`;
    expect(judged(events('(top'))).toEqual([
      `weir.yaml:8: ${HEAD}: config.events.0.name is not a pattern: missing closing ): \`(top\``,
    ]);
    expect(judged(events('{{ env.NAME }}'), { NAME: '(top-secret' })).toEqual([
      `weir.yaml:8: ${HEAD}: config.events.0.name is no pattern that Weir matches (it is set from env.NAME)`,
    ]);
  });

  it.each(['NOTHING', 'constructor'])('of a kind that Weir does not have are told elsewhere: %s', (type) => {
    const wanted = { name: 'a', type, config: {}, secrets: {}, placeOf: () => ({ file: '', line: 1 }) };
    expect(judge(wanted)).toEqual({ problems: [], warnings: [] });
  });
});
