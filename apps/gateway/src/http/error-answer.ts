import type { AppError, ErrorDetails } from '@weir/contracts';
import { AREA_RULES, type Area, type ErrorForm } from './areas.js';
import { HttpProblem } from './problem.js';
import { statusOf } from './status.js';

/** Seconds after which a client may retry. */
const RETRY_AFTER_S = '1';
/** All ways in which the control plane accepts credentials. The specification documents the first. */
const TOKEN_CHALLENGE = 'Basic realm="weir", Bearer realm="weir"';
const ADMIN_CHALLENGE = 'Basic realm="weir"';

export interface ErrorAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

interface Said {
  message: string;
  code: string;
  details?: ErrorDetails;
  /** Keys at the top level of the body: a refused publish shows its test results there (ruling 5). */
  extra?: ErrorDetails;
}

const RENDER: Record<ErrorForm, { contentType: string; body: (said: Said) => string }> = {
  json: {
    contentType: 'application/json; charset=utf-8',
    body: ({ message, code, details, extra }) =>
      JSON.stringify({ ...extra, message, error: message, code, ...(details && { details }) }),
  },
  msg: { contentType: 'application/json; charset=utf-8', body: ({ message }) => JSON.stringify({ msg: message }) },
  text: { contentType: 'text/plain; charset=utf-8', body: ({ message }) => `${message}\n` },
};

/** Status, headers and body of an error, in the form of its area. */
export function errorAnswer(error: AppError | HttpProblem, area: Area): ErrorAnswer {
  const { errors } = AREA_RULES[area];
  const { status, name } =
    error instanceof HttpProblem ? { status: error.status, name: error.code } : statusOf(error.code, area);
  const { contentType, body } = RENDER[errors];
  return {
    status,
    headers: { ...headersOf(error, area, status), 'content-type': contentType },
    body: body({ message: error.message, code: name, ...shownDetails(error) }),
  };
}

function headersOf(error: AppError | HttpProblem, area: Area, status: number): Record<string, string> {
  if (error instanceof HttpProblem) return error.headers;
  if (status === 503 || status === 429) return { 'retry-after': RETRY_AFTER_S };
  if (status !== 401) return {};
  return { 'www-authenticate': AREA_RULES[area].scheme === 'token' ? TOKEN_CHALLENGE : ADMIN_CHALLENGE };
}

/** Shows details only if the caller can fix the error (wire-facts 0.3). */
function shownDetails(error: AppError | HttpProblem): Pick<Said, 'details' | 'extra'> {
  if (!error.details) return {};
  if (error.code === 'tests_failed') return { extra: error.details };
  if (error.code === 'invalid' || error instanceof HttpProblem) return { details: error.details };
  return {};
}
