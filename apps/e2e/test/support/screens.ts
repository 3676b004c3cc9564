import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { PATIENCE_MS } from '@weir/testing';
import type { Page } from 'playwright-core';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The findings of axe, in a form that a failed test shows well. */
export async function violationsOf(page: Page): Promise<string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(readFileSync(AXE, 'utf8'));
  const found = (await page.evaluate('axe.run()')) as { violations: { id: string; nodes: { html: string }[] }[] };
  return found.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

/** `WEIR_CONSOLE_PICTURES=docs/console` writes the pictures of the documentation. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['WEIR_CONSOLE_PICTURES'];
  if (!folder) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/${name}.png`, timeout: PATIENCE_MS });
}
