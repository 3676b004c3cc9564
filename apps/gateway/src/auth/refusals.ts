import { AppError } from '@weir/contracts';
import { TOKEN_PREFIX } from '../accounts/token.service.js';
import { AREA_RULES, type Area } from '../http/areas.js';
import { readBasic, readBearer } from '../http/request.js';

/** The kind of credential that a caller sent, judged by its form alone, so that an answer never confirms a secret. */
type Sent = 'nothing' | 'unreadable' | 'access token' | 'misplaced token' | 'write key' | 'pair';

function sentIn(authorization: string | undefined): Sent {
  if (!authorization) return 'nothing';
  if (readBearer(authorization) !== undefined) return 'access token';
  const pair = readBasic(authorization);
  if (!pair) return 'unreadable';
  if (pair.user.startsWith(TOKEN_PREFIX)) return 'misplaced token';
  if (pair.password === '') return pair.user === '' ? 'nothing' : 'write key';
  return pair.user === '' || pair.password.startsWith(TOKEN_PREFIX) ? 'access token' : 'pair';
}

const TOKEN_PROBLEMS: Record<Sent, string> = {
  nothing: 'credentials are missing',
  unreadable: 'it is neither Bearer nor Basic with base64',
  'access token': 'the access token is unknown, expired or revoked, or belongs to another e-mail address',
  'misplaced token': 'the access token stands where the e-mail address belongs',
  'write key': 'a write key opens the intake alone',
  pair: 'the access token is unknown or of another e-mail address, and the admin pair opens /admin and /schemas alone',
};

/** Refuses a route of access tokens. It begins with the text that clients know (wire-facts 0.1). */
export const tokenRefusal = (authorization: string | undefined): AppError =>
  new AppError(
    'unauthenticated',
    `Invalid Authorization Header: ${TOKEN_PROBLEMS[sentIn(authorization)]}. ` +
      'Send an access token as "Bearer <token>", or as "Basic" with base64 of "<e-mail>:<token>"',
  );

/** Refuses a cookie. */
export const sessionRefusal = (): AppError =>
  new AppError('unauthenticated', 'The session has ended, or its access token was revoked: sign in again');

/** Refuses the cookie of an operator. */
export const operatorRefusal = (): AppError =>
  new AppError('unauthenticated', 'The session of the operator has ended: sign in with the admin pair again');

const ADMIN_PROBLEMS: Record<Sent, string> = {
  nothing: 'Basic auth credentials missing',
  unreadable: 'Basic auth credentials missing: the header is not Basic with base64',
  'access token': 'Invalid admin credentials: this is an access token',
  'misplaced token': 'Invalid admin credentials: this is an access token',
  'write key': 'Invalid admin credentials: this is a write key',
  pair: 'Invalid admin credentials: user name or password is wrong',
};

const SCHEMAS_TAKE = 'Send the admin pair, or an access token, as "Basic" with base64 of "<e-mail>:<token>"';
const SCHEMA_PROBLEMS: Partial<Record<Sent, string>> = {
  'access token': 'this path takes no Bearer, and no token that is unknown, expired or revoked',
  'misplaced token': 'the access token stands where the user name belongs',
  'write key': 'this is a write key',
};

/**
 * Refuses a route of the admin pair. In area D it begins with the text that clients know (wire-facts 4.1), and for a missing or wrong
 * pair it is that text.
 */
export function adminRefusal(authorization: string | undefined, area: Area): AppError {
  const sent = sentIn(authorization);
  if (AREA_RULES[area].errors === 'msg') {
    const isPair = readBasic(authorization) !== undefined;
    const known = isPair ? 'Invalid admin credentials' : 'Basic auth credentials missing';
    const problem = SCHEMA_PROBLEMS[sent];
    return new AppError('unauthenticated', problem ? `${known}: ${problem}. ${SCHEMAS_TAKE}` : known);
  }
  const takes = 'This path takes the admin pair: SERVICE_ADMIN_USER and SERVICE_ADMIN_PASSWORD';
  return new AppError('unauthenticated', `${ADMIN_PROBLEMS[sent]}. ${takes}`);
}

const INTAKE_PROBLEMS: Partial<Record<Sent, string>> = {
  unreadable: 'the header is not "Basic" with base64 of "<write key>:"',
  'access token': 'this is an access token',
  'misplaced token': 'this is an access token',
  pair: 'a user name with a password opens other paths',
};

interface IntakeCredentials {
  authorization?: string | undefined;
  writeKey?: string | undefined;
}

/**
 * Adds what a client sent instead of a write key, in the header or the query. It begins with the text that SDKs know (wire-facts 6.4),
 * and for a missing or unknown key it is that text.
 */
export function intakeRefusal({ message }: AppError, sent: IntakeCredentials): AppError {
  const { authorization, writeKey = '' } = sent;
  const kind =
    authorization === undefined && writeKey.startsWith(TOKEN_PREFIX) ? 'access token' : sentIn(authorization);
  const problem = INTAKE_PROBLEMS[kind];
  const more = problem ? `: ${problem}, and the intake takes the write key of a source` : '';
  return new AppError('unauthenticated', message + more);
}
