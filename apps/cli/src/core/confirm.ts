import { confirm, isCancel } from '@clack/prompts';
import { CliError } from './errors.js';
import { ExitCode } from './exit-code.js';

/** Asks a person about what cannot be undone. Throws if the answer is not yes, and says then what it means. */
export async function requireYes(message: string, refusal = 'Nothing was changed'): Promise<void> {
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new CliError(refusal, undefined, ExitCode.interrupted);
  if (!answer) throw new CliError(refusal, undefined, ExitCode.failed);
}
