import { processIo } from './config.js';
import { runCli } from './program.js';

/** Set by bundle.mjs. */
declare const WEIR_CLI_VERSION: string;

process.exitCode = await runCli(process.argv.slice(2), processIo(), WEIR_CLI_VERSION);
