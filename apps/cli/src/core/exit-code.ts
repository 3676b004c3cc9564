/**
 * Exit codes of the process (docs/cli.md). Scripts may rely on these numbers. Node.js itself ends with 9 if there is no file that
 * `--env-file` names: it reads that option wherever it stands (https://github.com/nodejs/node/issues/54232).
 */
export const ExitCode = {
  ok: 0,
  /** Weir refused the request, or something unforeseen happened. */
  failed: 1,
  /** The command was called in a wrong way, and nothing was sent. */
  usage: 2,
  /** There is no token, or it may not do this. */
  notAllowed: 3,
  notFound: 4,
  /** The command ran, and what it checked is not as it should be: a test failed, a receipt is not valid. */
  checkFailed: 5,
  /** Weir did not answer, or asked to come back later. */
  unavailable: 6,
  /** Ctrl-C, also at a question. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
