import { basic, type Case, text } from './case.js';

const refused = (problem: string) =>
  `Invalid Authorization Header: ${problem}. ` +
  'Send an access token as "Bearer <token>", or as "Basic" with base64 of "<e-mail>:<token>"';
const MISSING = refused('credentials are missing');
const UNREADABLE = refused('it is neither Bearer nor Basic with base64');
const UNKNOWN = refused('the access token is unknown, expired or revoked, or belongs to another e-mail address');
const WRITE_KEY = refused('a write key opens the intake alone');
const PAIR = refused(
  'the access token is unknown or of another e-mail address, and the admin pair opens /admin and /schemas alone',
);

/** Credentials of the control plane. Each wrong one occurs once, because failures are slowed. */
export const credentials: Case[] = [
  ['nobody', 'GET /v2/sources', undefined, 401, MISSING],
  ['Bearer unknown-v2-sources', 'GET /v2/sources', undefined, 401, UNKNOWN],
  ['nobody', 'GET /transformations', undefined, 401, MISSING],
  ['Bearer unknown-transformations', 'GET /transformations', undefined, 401, UNKNOWN],
  ['nobody', 'GET /v2/regulations', undefined, 401, MISSING],
  ['Bearer unknown-v2-regulations', 'GET /v2/regulations', undefined, 401, UNKNOWN],
  ['nobody', 'GET /v2/destinations', undefined, 401, MISSING],
  ['Bearer unknown-v2-destinations', 'GET /v2/destinations', undefined, 401, UNKNOWN],
  ['nobody', 'GET /v2/connections', undefined, 401, MISSING],
  ['Bearer unknown-v2-connections', 'GET /v2/connections', undefined, 401, UNKNOWN],
  ['nobody', 'GET /libraries', undefined, 401, MISSING],
  ['Bearer unknown-libraries', 'GET /libraries', undefined, 401, UNKNOWN],
  ['nobody', 'GET /v2/workspace', undefined, 401, MISSING],
  ['Bearer unknown-v2-workspace', 'GET /v2/workspace', undefined, 401, UNKNOWN],
  ['source', 'GET /v2/sources', undefined, 401, WRITE_KEY],
  ['operator', 'GET /v2/sources', undefined, 401, PAIR],
  ['Basic ', 'GET /v2/sources', undefined, 401, UNREADABLE],
  ['Basic !!!!', 'GET /v2/sources', undefined, 401, UNREADABLE],
  [basic('nocolon'), 'GET /v2/sources', undefined, 401, UNREADABLE],
  [basic(':'), 'GET /v2/sources', undefined, 401, MISSING],
  ['Bearer ', 'GET /v2/sources', undefined, 401, UNREADABLE],
  ['Bearer  ', 'GET /v2/sources', undefined, 401, UNREADABLE],
  ['Bearer a b', 'GET /v2/sources', undefined, 401, UNREADABLE],
  ['Token x', 'GET /v2/sources', undefined, 401, UNREADABLE],
  ['bearer x x x', 'GET /v2/sources', undefined, 401, UNREADABLE],
  [`Bearer ${text(4_000)}`, 'GET /v2/sources', undefined, 401, UNKNOWN],
  ['nobody', 'POST /v2/sources', '{', 401, MISSING],
  ['nobody', 'GET /v2/sources?access_token=x', undefined, 401, MISSING],
];
