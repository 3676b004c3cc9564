// Lints the OpenAPI document with Redocly's rules (npm run check:openapi), or prints it with `--print`. Needs no build.
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { openApiText } from './openapi-document.mjs';

/** Redocly's recommended rules, and what its own rules say about names and descriptions. */
const RULES = {
  extends: ['recommended'],
  rules: {
    'operation-description': 'error',
    'operation-operationId': 'error',
    'operation-singular-tag': 'error',
    'operation-tag-defined': 'error',
    'parameter-description': 'error',
    'tag-description': 'error',
    'no-invalid-media-type-examples': 'error',
    'no-invalid-schema-examples': 'error',
    // A probe and a page have nothing to refuse.
    'operation-4xx-response': 'off',
    // Paths are the specification's: a word beside an id, as in /v2/deliveries/counters.
    'no-ambiguous-paths': 'off',
    // A relative server is this one, wherever it runs.
    'no-empty-servers': 'off',
  },
};

const source = await openApiText();
if (process.argv.includes('--print')) {
  process.stdout.write(source);
} else {
  const config = await createConfig(RULES);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  for (const { ruleId, message, location: [{ pointer } = {}] = [] } of problems) {
    console.error(`${ruleId}: ${message} (${pointer})`);
  }
  if (problems.length > 0) process.exitCode = 1;
}
