import { NO_ANSWER, WeirError } from '@weir/client';
import { ExitCode } from './exit-code.js';

/** A failure that the command line itself finds. `hint` says what to do next. */
export class CliError extends Error {
  override readonly name = 'CliError';

  constructor(
    message: string,
    readonly hint?: string,
    readonly exitCode: ExitCode = ExitCode.usage,
  ) {
    super(message);
  }
}

/** How far work was when it stopped. */
export interface Progress {
  done: number;
  of: number;
  /** Ids of the events that were sent. */
  messageIds?: readonly string[];
}

/** Work that ended in its middle. What was done stays done, and `told` says so. */
export class StoppedError extends Error {
  override readonly name = 'StoppedError';

  constructor(
    override readonly cause: unknown,
    readonly told: string,
    readonly progress: Progress,
  ) {
    super(told);
  }
}

/** The report of a failure, for people and with `--json`. */
export interface Failure extends Partial<Progress> {
  message: string;
  hint?: string | undefined;
  exitCode: ExitCode;
  code?: string | undefined;
  details?: Readonly<Record<string, unknown>> | undefined;
  requestId?: string | undefined;
}

/** Turns any thrown value into a sentence, a next step and an exit code. */
export function failureOf(thrown: unknown): Failure {
  if (thrown instanceof CliError) return { message: thrown.message, hint: thrown.hint, exitCode: thrown.exitCode };
  if (thrown instanceof WeirError) return failureOfAnswer(thrown);
  if (thrown instanceof StoppedError) return failureInTheMiddle(thrown);
  return { message: thrown instanceof Error ? thrown.message : String(thrown), exitCode: ExitCode.failed };
}

function failureInTheMiddle({ cause, told, progress }: StoppedError): Failure {
  const failure = failureOf(cause);
  // the exit code for a wrong use promises that nothing was sent
  const exitCode = failure.exitCode === ExitCode.usage ? ExitCode.failed : failure.exitCode;
  return { ...failure, message: `${failure.message.replace(/\.$/, '')}. ${told}`, exitCode, ...progress };
}

function failureOfAnswer(error: WeirError): Failure {
  const { message, code, details, requestId } = error;
  return { message, code, details, requestId, ...nextStep(error) };
}

function nextStep({ status, code, requestId }: WeirError): Pick<Failure, 'exitCode' | 'hint'> {
  if (code === NO_ANSWER) {
    return { exitCode: ExitCode.unavailable, hint: 'Is Weir running at this address? `weir doctor` looks closer.' };
  }
  if (status === 401) {
    return { exitCode: ExitCode.notAllowed, hint: 'Log in with `weir login`, or set WEIR_URL and WEIR_TOKEN.' };
  }
  if (status === 403) {
    return { exitCode: ExitCode.notAllowed, hint: 'Use a token with a role that may do this: `weir login`.' };
  }
  if (status === 404) return { exitCode: ExitCode.notFound, hint: undefined };
  if (status === 429 || (status >= 502 && status <= 504)) {
    return { exitCode: ExitCode.unavailable, hint: 'Try again in a while.' };
  }
  const asksForHelp = status >= 500 && requestId !== undefined;
  const hint = asksForHelp ? `Tell the operator the request id ${requestId}: the log has it.` : undefined;
  return { exitCode: code === 'TESTS_FAILED' ? ExitCode.checkFailed : ExitCode.failed, hint };
}
