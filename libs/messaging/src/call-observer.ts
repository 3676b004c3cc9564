import type { ErrorCode } from '@weir/contracts';

export type CallOutcome = ErrorCode | 'ok';

/** Told of every call, by subject: for metrics. Subjects and codes are few and say nothing of anybody. */
export interface CallObserver {
  /** This process has answered. */
  answered(subject: string, outcome: CallOutcome, seconds: number): void;
  /** This process has its answer, or the reason why there is none. */
  asked(subject: string, outcome: CallOutcome): void;
}

/** Inject token of the process's {@link CallObserver}. */
export const CALL_OBSERVER = Symbol('CALL_OBSERVER');
