import { afterAll, beforeAll } from '@jest/globals';
import { sharedStack } from '@weir/local';
import { PATIENCE_MS } from '@weir/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { chromiumPath, FLAGS } from './browser.js';

/** A browser for the console of the shared stack. Use it inside tests and hooks. */
export function useConsole() {
  let browser: Browser | undefined;
  const alerts: string[] = [];
  const refusals: string[] = [];
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: String(chromiumPath), args: FLAGS, timeout: PATIENCE_MS });
  });
  afterAll(() => browser?.close());
  return {
    get url(): string {
      return `${sharedStack().urls[0]}/console`;
    },
    /** Texts of dialogs that a page opened. The console opens none of its own. */
    alerts,
    /** The requests that the content security policy refused. */
    refusals,
    /** Opens an empty page as a new visitor. */
    newPage: async (): Promise<Page> => {
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
    },
  };
}
