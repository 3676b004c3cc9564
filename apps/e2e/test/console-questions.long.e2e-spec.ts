import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { uniqueName } from '@weir/testing';
import type { Page, Request } from 'playwright-core';
import { held, withBrowser } from './support/browser.js';
import { KEEP, marking, newTransformation } from './support/code.js';
import { useConsole } from './support/console.js';
import { writesOfConsole } from './support/console-writes.js';
import { useHook } from './support/hook.js';
import { connect, intakeOf, newSource, newWebhook, sendEvent } from './support/inventory.js';
import { sessionOf } from './support/session.js';
import { made, newWorkspace, type Workspace } from './support/workspace.js';

/** Writes without a question, and why none is needed. */
const UNASKED: Record<string, string> = {
  'api/code.ts PUT /transformations/{id}/tests': 'offers to undo it',
  'api/events.ts POST /v2/deliveries/replay': 'a dry run',
  'api/operator.ts DELETE /admin/session': 'signs out',
  'api/operator.ts POST /admin/access-tokens': 'makes',
  'api/operator.ts POST /admin/session': 'signs in',
  'api/operator.ts POST /admin/workspaces': 'makes',
  'api/session.ts DELETE /console/session': 'signs out',
  'api/session.ts POST /console/session': 'signs in',
  'features/code/auto-rollback.tsx PUT /transformations/{id}/auto-rollback': 'offers to undo it',
  'features/code/code-tests.ts POST /transformations/tests/run': 'stores nothing',
  'features/code/editor-pane.tsx POST /transformations': 'makes',
  'features/code/editor-pane.tsx POST /transformations/{id}': 'makes a revision, and those before it stay',
  'features/code/library-editor.tsx POST /libraries': 'makes',
  'features/code/library-editor.tsx POST /libraries/{id}': 'makes a revision, and those before it stay',
  'features/code/publish-dialog.tsx POST /transformations/libraries/publish': 'the dialog with the evidence asks',
  'features/code/publish-dialog.tsx PUT /v2/destinations/{id}/transformation': 'the dialog with the evidence asks',
  'features/code/library.page.tsx POST /transformations/libraries/publish': 'the dialog with the evidence asks',
  'features/destinations/create-form.tsx POST /v2/destinations': 'makes',
  'features/destinations/settings-form.tsx PUT /v2/destinations/{id}': 'a form that was filled in',
  'features/destinations/stage-test.tsx POST /v0/testDestination/{id}': 'stores nothing',
  'features/privacy/batches.ts POST /v2/regulations': 'a dry run',
  'features/settings/new-channel.tsx POST /v2/notifications': 'makes',
  'features/settings/notifications.tsx POST /v2/notifications/{id}/test': 'sends a test to its own people',
  'features/settings/tokens.tsx POST /v2/access-tokens': 'makes',
  'features/sources/connections.tsx POST /v2/connections': 'a form that was filled in',
  'features/sources/new-source.page.tsx POST /v2/sources': 'makes',
};

const isDryRun = (request: Request) => /dryRun.{1,3}true/.test(request.url() + request.postData());

/** The revisions, which the page of a code reads anew after a publish. */
const LISTS = '**/transformations/*/versions*';

const nameOf = ({ file, call }: { file: string; call: string }) => `${file} ${call}`;
const WRITES = writesOfConsole();
const ASKED = [...new Set(WRITES.filter(({ isAsked }) => isAsked).map(nameOf))].sort();

describe('a write of the console', () => {
  it('asks first, or is listed above with the reason why not', () => {
    const unasked = new Set(WRITES.filter(({ isAsked }) => !isAsked).map(nameOf));
    expect([...unasked].sort()).toEqual(Object.keys(UNASKED).sort());
  });

  it('asks wherever it deletes', () => {
    const unasked = Object.keys(UNASKED).filter((name) => name.includes(' DELETE '));
    expect(unasked.map((name) => UNASKED[name])).toEqual(['signs out', 'signs out']);
  });
});

withBrowser('questions of the console (need Chromium, or CHROMIUM_PATH)', () => {
  const hook = useHook();
  const browser = useConsole();
  let own: Workspace;
  let page: Page;

  beforeAll(async () => {
    own = await newWorkspace();
    page = await browser.signedIn(own);
  });

  const go = (path: string) => page.goto(browser.url + path);
  const press = (name: string | RegExp) => page.getByRole('button', { name }).first().click();
  const turn = (name: string | RegExp) => page.getByRole('switch', { name }).click();
  const more = async (name: string) => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name }).click();
  };
  const source = () => newSource(own.writer);
  const destination = () => newWebhook(own.writer, `${hook.url}/way`);
  const connected = async () => {
    const [from, to] = [await source(), await destination()];
    await connect(own.writer, from, to);
    return { from, to };
  };
  /** An event that its destination refused for good. */
  const dead = async () => {
    const { from, to } = await connected();
    hook.answer({ status: 422, body: { problem: 'no' } });
    const messageId = uniqueName('dead');
    await sendEvent(from, 'track', { userId: 'ada', event: 'Bought', messageId });
    return { messageId, to };
  };
  /** More dead events than the page of failures loads at once. */
  const manyDead = async () => {
    const { from, to } = await connected();
    hook.answer({ status: 422, body: { problem: 'no' } });
    const batch = Array.from({ length: 51 }, (_, at) => ({ type: 'track', userId: `u${at}`, event: 'Bought' }));
    made(await intakeOf(from).post('/v1/batch', { batch }));
    return to;
  };
  const channel = async () => {
    const body = { type: 'webhook', name: uniqueName('on call'), url: 'https://example.com/hook' };
    made(await own.admin.post('/v2/notifications', body), 201);
    return body.name;
  };
  const credential = async () => {
    const key = uniqueName('KEY').replaceAll(/\W/g, '_');
    made(await own.admin.put(`/v2/credentials/${key}`, { value: 'old', isSecret: false }));
    return key;
  };
  const token = async () => {
    const name = uniqueName('token');
    made(await own.admin.post('/v2/access-tokens', { name, role: 'read' }), 201);
    return name;
  };
  const operating = async () => {
    await go('/operator');
    const { user, password } = sharedStack().admin;
    const field = page.getByLabel('User');
    const entered = page.getByRole('heading', { name: 'New workspace' });
    await field.or(entered).first().waitFor();
    if ((await field.count()) === 0) return;
    await field.fill(user);
    await page.getByLabel('Password').fill(password);
    await press('Sign in as operator');
    await entered.waitFor(); // leaving the page earlier would cut the sign-in off
  };

  /** Makes what each question is about, and leads to the question. */
  const LEADS: Record<string, () => Promise<() => Promise<unknown>>> = {
    'features/code/transformation.page.tsx POST /transformations/{id}/rollback': async () => {
      const { id } = await newTransformation(own.writer, KEEP);
      made(await own.writer.post(`/transformations/${id}`, { code: marking('later') }, { query: { publish: true } }));
      return async () => {
        await go(`/code/${id}?tab=history`);
        await page.locator('ol button').last().click();
        await press('Roll back to this');
      };
    },
    'features/code/transformation.page.tsx DELETE /transformations/{id}': async () => {
      const { id } = await newTransformation(own.writer, KEEP);
      return () => go(`/code/${id}`).then(() => more('Delete code'));
    },
    'features/destinations/destination.page.tsx DELETE /v2/destinations/{id}': async () => {
      const { id } = await destination();
      return () => go(`/destinations/${id}`).then(() => more('Delete destination'));
    },
    'features/destinations/destination.page.tsx PUT /v2/destinations/{id}': async () => {
      const { id } = await destination();
      return () => go(`/destinations/${id}`).then(() => turn('Deliver events'));
    },
    'features/destinations/failed-stages.tsx POST /v2/deliveries/replay': async () => {
      const to = await manyDead();
      return () => go(`/destinations/${to.id}?tab=failures`).then(() => press(/^Send all again that failed/));
    },
    'features/destinations/failures.tsx POST /v2/deliveries/replay': async () => {
      const { to } = await dead();
      return () => go(`/destinations/${to.id}?tab=failures`).then(() => press('Send again'));
    },
    'features/live/way-view.tsx POST /v2/deliveries/replay': async () => {
      const { messageId, to } = await dead();
      // an event that is asked about too early says that nothing is known of it, and stands still
      await go(`/destinations/${to.id}?tab=failures`);
      await page.getByText('1 failed for good').waitFor();
      return () => go(`/events/${messageId}`).then(() => press('Send again'));
    },
    'features/operator/workspace-tokens.tsx DELETE /admin/access-tokens/{id}': async () => {
      const { id } = await newWorkspace();
      await operating();
      return () => go(`/operator?workspace=${id}`).then(() => press('Revoke Dashboards'));
    },
    'features/operator/workspaces.tsx PATCH /admin/workspaces/{id}': async () => {
      const name = uniqueName('tenant');
      await newWorkspace(name);
      return () => operating().then(() => turn(`Allow fetch for ${name}`));
    },
    'features/overview/connect.tsx POST /v2/connections': async () => {
      const [from, to] = [await source(), await destination()];
      return async () => {
        await go('/');
        await press(`Connect ${from.name} to …`);
        await page.getByRole('menuitem', { name: to.name }).click();
      };
    },
    'features/privacy/new-regulation.tsx POST /v2/regulations': async () => {
      return async () => {
        await go('/privacy?tab=new');
        await page.getByLabel('User IDs', { exact: true }).fill(uniqueName('user'));
        await press('Preview effect');
        await press('Suppress …');
      };
    },
    'features/privacy/regulation.page.tsx DELETE /v2/regulations/{id}': async () => {
      const body = { regulationType: 'suppress', users: [{ userId: uniqueName('user') }] };
      const [{ id }] = made(await own.writer.post('/v2/regulations', body), 201);
      return () => go(`/privacy/${id}`).then(() => press('Cancel regulation'));
    },
    'features/settings/credentials.tsx DELETE /v2/credentials/{key}': async () => {
      const key = await credential();
      return () => go('/settings?tab=credentials').then(() => press(`Delete ${key}`));
    },
    'features/settings/credentials.tsx PUT /v2/credentials/{key}': async () => {
      const key = await credential();
      return async () => {
        await go('/settings?tab=credentials');
        await page.getByLabel('Key', { exact: true }).fill(key);
        await page.getByLabel('Value', { exact: true }).fill('new');
        await press('Save');
      };
    },
    'features/settings/notifications.tsx DELETE /v2/notifications/{id}': async () => {
      const name = await channel();
      return () => go('/settings?tab=notifications').then(() => press(`Delete ${name}`));
    },
    'features/settings/notifications.tsx PUT /v2/notifications/{id}': async () => {
      const name = await channel();
      return () => go('/settings?tab=notifications').then(() => turn(`${name} is on`));
    },
    'features/settings/sessions.tsx DELETE /console/sessions/{id}': async () => {
      await sessionOf(own.tokens['read-only']);
      return () => go('/settings?tab=sessions').then(() => press(/End the session of/));
    },
    'features/settings/tokens.tsx DELETE /v2/access-tokens/{id}': async () => {
      const name = await token();
      return () => go('/settings?tab=tokens').then(() => press(`Revoke ${name}`));
    },
    'features/sources/connections.tsx DELETE /v2/connections/{id}': async () => {
      const { from, to } = await connected();
      return () => go(`/sources/${from.id}`).then(() => press(`Remove the connection: ${to.name}`));
    },
    'features/sources/connections.tsx PUT /v2/connections/{id}': async () => {
      const { from, to } = await connected();
      return () => go(`/sources/${from.id}`).then(() => turn(`Let events pass: ${to.name}`));
    },
    'features/sources/source.page.tsx DELETE /v2/sources/{id}': async () => {
      const { id } = await source();
      return () => go(`/sources/${id}`).then(() => more('Delete source'));
    },
    'features/sources/source.page.tsx PUT /v2/sources/{id}': async () => {
      const { id } = await source();
      return () => go(`/sources/${id}`).then(() => turn('Accept events'));
    },
  };

  it.each(ASKED)('%s is sent after a yes, and not after a no', async (name) => {
    const [, method, route = ''] = name.split(' ');
    const path = new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    const isIt = (request: Request) =>
      request.method() === method && path.test(new URL(request.url()).pathname) && !isDryRun(request);
    const lead = LEADS[name];
    if (!lead) throw new Error(`say in LEADS how a person comes to ${name}`);
    const ask = await lead();
    const question = page.getByRole('dialog', { name: /\?$/ });

    const sent: string[] = [];
    const note = (request: Request) => isIt(request) && sent.push(request.url());
    page.on('request', note);
    await ask();
    await question.waitFor();
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    expect(sent).toEqual([]);
    page.off('request', note);

    await ask();
    await question.waitFor();
    const word = question.getByRole('textbox');
    if ((await word.count()) > 0) await word.fill('delete');
    const request = page.waitForRequest(isIt);
    await question.locator('form button[type=submit]').click();
    expect((await (await request).response())?.ok()).toBe(true);
  });

  it('lose nothing when somebody presses Enter too early', async () => {
    const { id, name } = await destination();
    await go(`/destinations/${id}`);
    await turn('Deliver events');
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it on' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(made(await own.reader.get(`/v2/destinations/${id}`)).destination).toMatchObject({ name, enabled: true });
  });

  it('keep nobody who goes on after a publish: the page does not change again once all lists are read anew', async () => {
    const { id } = await newTransformation(own.writer, KEEP, {}, { publish: false });
    await go(`/code/${id}`);
    await press('Publish …');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Passes all tests').waitFor();
    const lists = await held(page, LISTS);
    const read = page.waitForResponse(LISTS);
    await dialog.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('Published. It goes live').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    const title = page.getByRole('heading', { level: 1, name: 'Sources' });
    await title.waitFor();
    lists.release();
    await (await read).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    expect(new URL(page.url()).pathname).toBe('/console/sources');
    await title.waitFor();
  });

  it('are followed by a way back where there is one', async () => {
    const { from, to } = await connected();
    await go(`/sources/${from.id}`);
    await press(`Remove the connection: ${to.name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    const row = page.getByRole('button', { name: `Remove the connection: ${to.name}` });
    await row.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
  });
});
