import type { ErrorCode } from '@weir/contracts';

export type CallOutcome = ErrorCode | 'ok';

/** Receives every call by subject, for metrics. The number of subjects and codes is small, and they contain no personal data. */
export interface CallObserver {
  /** This process has answered a call. */
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** This process has received an answer or an error. */
  asked(subject: string, outcome: CallOutcome): void;
}

/** Inject token of the process's {@link CallObserver}. */
export const CALL_OBSERVER = Symbol('CALL_OBSERVER');
