import { expect, it } from '@jest/globals';
import { useCommandLine } from './support/command-line.js';
import { made } from './support/workspace.js';

const shell = useCommandLine();

const DOCUMENTS = `version: rudder/v1
kind: event-stream-source
metadata: { name: sources }
spec: { id: web, name: shop, type: javascript, governance: { validations: { tracking_plan: '#tracking-plan:p' } } }
---
version: rudder/v1
kind: transformation-library
metadata: { name: masks }
spec: { id: masks, name: masks, language: javascript, import_name: masks, code: 'export const hide = () => "***";' }
---
version: rudder/v1
kind: transformation
metadata: { name: mask }
spec: { id: mask, name: Mask, language: javascript, file: mask.js, tests: [{ name: hides, input: in, output: out }] }
---
version: rudder/v1
kind: destination
metadata: { name: destinations }
spec:
  id: hook
  display_name: hook
  type: webhook
  config: { webhook_url: 'https://{{ .HOST }}/', webhook_method: POST }
  transformation: '#transformation:mask'
---
version: rudder/v1
kind: event-stream-connections
metadata: { name: connections }
spec: { connections: [{ id: c, source: '#event-stream-source:web', destination: '#destination:hook' }] }
`;
const CODE = 'import { hide } from "masks";\nexport const transformEvent = (event) => ({ ...event, email: hide() });\n';

it('project files become a workspace, with their code and its tests', async () => {
  shell.write('theirs/all.yaml', DOCUMENTS);
  shell.write('theirs/mask.js', CODE);
  shell.write('theirs/in/one.json', '[{ "email": "a@example.com" }]');
  shell.write('theirs/out/one.json', '[{ "email": "***" }]');
  shell.write('theirs/own.vars.yaml', 'HOST: hooks.example.com');
  const imported = await shell.run(['import', 'rudderstack', '--project', 'theirs', '--out', 'ours', '--json']);
  expect([imported.code, imported.json?.losses]).toMatchObject([0, [{ what: 'source "shop": write key' }]]);

  const from = ['--dir', 'ours', '--env-file', 'ours/secrets.env'];
  expect(await shell.run(['apply', ...from])).toMatchObject({ code: 0 });
  expect((await shell.run(['plan', '--check', '--prune', '--json', ...from])).json.steps).toEqual([]);
  const { admin } = shell.workspace;
  const [mask] = made(await admin.get('/transformations')).transformations;
  expect(mask).toMatchObject({ name: 'Mask', code: CODE });
  expect(made(await admin.get(`/transformations/${mask.id}/tests`)).tests).toEqual([
    { name: 'hides', input: [{ email: 'a@example.com' }], expectedOutput: [{ email: '***' }] },
  ]);
  const [hook] = made(await admin.get('/v2/destinations')).destinations;
  expect(hook).toMatchObject({ type: 'WEBHOOK', config: { webhookUrl: 'https://hooks.example.com/' } });
});
