import { confirm, isCancel } from '@clack/prompts';
import { CliError } from './errors.js';
import { ExitCode } from './exit-code.js';

/** Asks a person about what cannot be undone. Throws if the answer is not yes. */
export async function requireYes(message: string): Promise<void> {
  const answer = await confirm({ message, initialValue: false });
  if (isCancel(answer)) throw new CliError('Nothing was changed', undefined, ExitCode.interrupted);
  if (!answer) throw new CliError('Nothing was changed', undefined, ExitCode.failed);
}
