// Writes the types of @weir/client from the OpenAPI document (npm run types, which runs it only after a change of the routes).
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openApiText } from './openapi-document.mjs';

const FILE = 'packages/client/src/generated/api.ts';
/** The generator needs another TypeScript than this repository, so it is installed beside the client. */
const { resolve } = createRequire(`${process.cwd()}/packages/client/package.json`);

const { default: openapiTs, astToString } = await import(
  pathToFileURL(resolve('openapi-typescript/dist/index.mjs')).href
);
// Fields with a default stay optional in what a caller sends. An object without named fields, such as an event, holds anything.
const types = await openapiTs(await openApiText(), { defaultNonNullable: false, emptyObjectsUnknown: true });
mkdirSync(dirname(FILE), { recursive: true });
writeFileSync(FILE, `// Made from the OpenAPI document by tools/client-types.mjs.\n${astToString(types)}`);
