import { runCli } from './cli.js';

await runCli({ argv: process.argv.slice(2), env: process.env });
