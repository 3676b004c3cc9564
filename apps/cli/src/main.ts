import { processIo } from './config.js';
import { runCli } from './program.js';

/** Set by bundle.mjs and executable.mjs. */
declare const WEIR_CLI_VERSION: string;

// A process that ends before its command, such as at a question that nobody can answer any more, was interrupted.
process.exitCode = 130;
// Not awaited at the top: an executable holds CommonJS, which cannot.
void runCli(process.argv.slice(2), processIo(), WEIR_CLI_VERSION).then((exitCode) => {
  process.exitCode = exitCode;
});
