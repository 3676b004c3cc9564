import { afterAll, beforeAll } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { PATIENCE_MS } from '@weir/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath, FLAGS } from './browser.js';
import { made, type Workspace } from './workspace.js';

/** A name of this machine that the browser takes for another one, whose plain HTTP it does not trust. */
const FAR_HOST = 'weir.test';

/** A browser for the console of the shared stack, or of another server. Use it inside tests and hooks. */
export function useConsole(origin: () => string | undefined = () => sharedStack().urls[0]) {
  let browser: Browser | undefined;
  const alerts: string[] = [];
  const refusals: string[] = [];
  beforeAll(async () => {
    const args = [...FLAGS, `--host-resolver-rules=MAP ${FAR_HOST} 127.0.0.1`];
    browser = await chromium.launch({ executablePath: String(chromiumPath), args, timeout: PATIENCE_MS });
  });
  afterAll(() => browser?.close());
  async function newPage(): Promise<Page> {
    if (!browser) throw new Error('the browser is there once beforeAll has run');
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 800 } })).newPage();
    page.setDefaultTimeout(PATIENCE_MS); // its own 30 s are too few for a busy machine
    page.on('dialog', (dialog) => {
      alerts.push(dialog.message());
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      if (message.text().includes('Content Security Policy'))
        refusals.push(`${message.text()} at ${message.location().url}`);
    });
    return page;
  }
  return {
    get url(): string {
      return `${origin()}/console`;
    },
    /** The same console, as people on another machine reach it without HTTPS. */
    get farUrl(): string {
      return this.url.replace('127.0.0.1', FAR_HOST);
    },
    /** Texts of dialogs that a page opened. The console opens none of its own. */
    alerts,
    /** The requests that the content security policy refused. */
    refusals,
    /** Opens an empty page as a new visitor. */
    newPage,
    /** A page on which an administrator of the workspace has signed in. */
    signedIn: async ({ admin }: Pick<Workspace, 'admin'>): Promise<Page> => {
      const page = await newPage();
      const { path } = made(await admin.post('/console/links', {}), 201);
      await page.goto(sharedStack().urls[0] + path);
      await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
      return page;
    },
  };
}
