import type { AppError, ErrorDetails } from '@weir/contracts';
import { AREA_RULES, type Area, type ErrorForm } from './areas.js';
import { HttpProblem } from './problem.js';
import { statusOf } from './status.js';

/** After this many seconds a client may try what was unavailable again. */
const RETRY_AFTER_S = '1';
/** Every way in which the control plane takes credentials; the first is what the specification documents. */
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
  /** Keys of the body itself: a refused publish shows its test results there (ruling 5). */
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

/** Status, headers and body of an error, as its area says it. */
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

/** Details go out for what the caller can mend, and only then (wire-facts 0.3). */
function shownDetails(error: AppError | HttpProblem): Pick<Said, 'details' | 'extra'> {
  if (!error.details) return {};
  if (error.code === 'tests_failed') return { extra: error.details };
  if (error.code === 'invalid' || error instanceof HttpProblem) return { details: error.details };
  return {};
}
