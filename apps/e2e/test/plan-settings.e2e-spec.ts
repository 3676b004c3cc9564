import { expect, it } from '@jest/globals';
import { useCommandLine } from './support/command-line.js';

const shell = useCommandLine();
const run: typeof shell.run = (args, more) => shell.run(args, more);

const SECRET = 'a-secret-that-is-no-address';
/** Three destinations, two of which lack required settings, and what an apply makes before them. */
const project = (url: string, method: string, topic: string) => `credentials:
  - { key: maps, value: maps-key, secret: false }
sources:
  - { name: shop, type: HTTP }
destinations:
  - name: hook
    type: WEBHOOK
    config:
      webhookUrl: ${url}
      webhookMethod: ${method}
  - name: queue
    type: KAFKA
    config:
      topic: ${topic}
  - name: crm
    type: BRAZE
connections:
  - { source: shop, destination: hook }
`;
const WARNINGS = [
  'weir.yaml:14: destination "queue" (KAFKA) is incomplete and gets no events: add config.hostName',
  'weir.yaml:15: destination "crm" (BRAZE) is incomplete and gets no events: add config.restApiKey, config.dataCenter',
];
const PROBLEMS = [
  'weir.yaml:9: destination "hook" (WEBHOOK): config.webhookUrl has an unexpected form: it must match ^https?://. (it is set from env.URL)',
  'weir.yaml:10: destination "hook" (WEBHOOK): config.webhookMethod must be one of POST, PUT, PATCH, GET, DELETE',
  'weir.yaml:14: destination "queue" (KAFKA): config.topic must be a string',
];

/** How many sources, destinations and credentials the workspace has. */
async function written(): Promise<number[]> {
  const { admin } = shell.workspace;
  const count = async (kind: string) => (await admin.get(`/v2/${kind}`)).body[kind].length;
  return Promise.all(['sources', 'destinations', 'credentials'].map(count));
}

it('settings that the server would refuse are all told, and nothing is written', async () => {
  shell.write('weir.yaml', project('"{{ env.URL }}"', 'BREW', '7'));
  const also = { URL: SECRET };
  const plan = await run(['plan', '--json'], also);
  expect([plan.code, plan.json.problems, plan.json.warnings]).toEqual([1, PROBLEMS, WARNINGS]);

  const apply = await run(['apply'], also);
  const told = await run(['apply', '--json'], also);
  expect([apply.code, told.code, await written()]).toEqual([1, 1, [0, 0, 0]]);
  for (const problem of PROBLEMS) expect(apply.err).toContain(problem);
  expect(JSON.parse(told.err).error.message).toBe(`Nothing was changed. ${PROBLEMS.join('\n')}`);
  for (const { out, err } of [plan, apply, told]) expect(out + err).not.toContain(SECRET);
});

it('settings that are only missing are a warning, and the server calls the destination incomplete', async () => {
  shell.write('weir.yaml', project('https://hooks.example.com', 'POST', 'events'));
  const plan = await run(['plan', '--json']);
  expect([plan.code, plan.json.problems, plan.json.warnings]).toEqual([0, [], WARNINGS]);
  expect((await run(['plan'])).out).toContain(`Warnings:\n  ${WARNINGS[0]}\n`);

  expect((await run(['apply', '--json'])).json.warnings).toEqual(WARNINGS);
  const { destinations } = (await shell.workspace.admin.get('/v2/destinations')).body;
  const missingOf = (name: string) => destinations.find((one: { name: string }) => one.name === name).missing;
  expect(['hook', 'queue', 'crm'].map(missingOf)).toEqual([undefined, ['hostName'], ['restApiKey', 'dataCenter']]);
  expect((await run(['plan', '--json'])).json).toMatchObject({ steps: [], warnings: [] });
});

// `--env-file` is an option of Node.js too, which reads it wherever it stands: https://github.com/nodejs/node/issues/54232
it('a file of variables that is not there is refused by Node.js, before the command line starts', async () => {
  expect(await run(['plan', '--env-file', 'nothing.env'])).toMatchObject({
    code: 9,
    out: '',
    err: expect.stringContaining('nothing.env: not found'),
  });
});
