import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { DEFAULT_APPS_DIR } from './options.js';
import { MIGRATION_SETTINGS, SETTINGS, TRACE_SETTINGS } from './settings.js';

/** Variables that the launcher sets itself, in `environment.ts`. */
const DECIDED = [
  'BOOTSTRAP_ACCESS_TOKEN',
  'BOOTSTRAP_EMAIL',
  'EGRESS_ALLOW_CIDRS',
  'EGRESS_REFUSE',
  'HOST',
  'LOG_LEVEL',
  'NATS_CREDENTIALS_FD',
  'NATS_URL',
  'PORT',
  // A local stack serves everything on PORT, and nobody but this machine reaches it.
  'PRIVATE_PORT',
  'PUBLIC_AREAS',
  'READY_SCOPE',
  'REGULATION_PEPPER',
  'REGULATION_RECEIPT_KEY',
  'SCHEMA_PEPPER',
  'SERVICE_ADMIN_PASSWORD',
  'SERVICE_ADMIN_USER',
  'WEIR_ENCRYPTION_KEY',
];

/** A key of the app's zod schema: `    PORT: z.coerce…` or `  WEIR_ENCRYPTION_KEY: secretKey,`. */
const VARIABLE = /^\s+([A-Z][A-Z0-9_]+): (?:z\b|secretKey|bindAddress)/gm;

describe('settings', () => {
  it.each(Object.keys(SETTINGS))('hands every variable of the configuration to %s', (app) => {
    const file = join(DEFAULT_APPS_DIR, app, 'src/config.ts');
    expect(existsSync(file)).toBe(true);
    const named = [...readFileSync(file, 'utf8').matchAll(VARIABLE)].map(([, name = '']) => name);
    expect(named.filter((name) => !DECIDED.includes(name) && !SETTINGS[app]?.includes(name))).toEqual([]);
  });

  it('names every variable in .env.example', () => {
    const example = readFileSync(join(DEFAULT_APPS_DIR, '../.env.example'), 'utf8');
    const all = new Set([...DECIDED, ...MIGRATION_SETTINGS, ...TRACE_SETTINGS, ...Object.values(SETTINGS).flat()]);
    expect([...all].filter((name) => !example.includes(`\n#${name}=`))).toEqual([]);
  });
});
