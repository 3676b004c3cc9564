import type { Case } from './case.js';

const SEND = 'Send the admin pair, or an access token, as "Basic" with base64 of "<e-mail>:<token>"';
const NO_BEARER = `this path takes no Bearer, and no token that is unknown, expired or revoked. ${SEND}`;

/** Area D, with the admin pair and with other credentials. */
export const schemas: Case[] = [
  ['operator', 'GET /schemas/event-versions', undefined, 400, 'Mandatory field: EventID missing'],
  ['operator', 'GET /schemas/event-model/x/metadata', undefined, 404, 'Event model x not found'],
  [
    'operator',
    'GET /schemas/event-model/{uuid}/metadata',
    undefined,
    404,
    'Event model 00000000-0000-4000-8000-000000000000 not found',
  ],
  [
    'operator',
    'GET /schemas/event-model/{uuid}/key-counts',
    undefined,
    404,
    'Event model 00000000-0000-4000-8000-000000000000 not found',
  ],
  [
    'operator',
    'GET /schemas/event-model/{uuid}/key-counts?limit=x',
    undefined,
    400,
    'limit is not a parameter of this path, which takes none',
  ],
  [
    'operator',
    'GET /schemas/event-version/{uuid}/metadata',
    undefined,
    404,
    'Event version 00000000-0000-4000-8000-000000000000 not found',
  ],
  [
    'operator',
    'GET /schemas/event-version/{uuid}/missing-keys',
    undefined,
    404,
    'Event version 00000000-0000-4000-8000-000000000000 not found',
  ],
  ['operator', 'GET /schemas/event-version/%00/metadata', undefined, 404, 'Event version \uFFFD not found'],
  ['operator', 'GET /schemas/nothing', undefined, 404, 'There is nothing at this path: see /docs or /openapi.json'],
  ['operator', 'POST /schemas/event-models', {}, 405, 'This path answers GET, HEAD only'],
  ['operator', 'DELETE /schemas/event-models', undefined, 405, 'This path answers GET, HEAD only'],
  ['operator', "GET /schemas/event-model/'%20OR%201=1/metadata", undefined, 404, "Event model ' OR 1=1 not found"],
  ['nobody', 'GET /schemas/event-models', undefined, 400, 'Basic auth credentials missing'],
  ['nobody', 'GET /schemas/event-versions?EventID=x', undefined, 400, 'Basic auth credentials missing'],
  ['writer', 'GET /schemas/event-models', undefined, 400, `Basic auth credentials missing: ${NO_BEARER}`],
  [
    'operator',
    'GET /schemas/event-models?SourceName=a&WriteKey=b',
    undefined,
    400,
    'Ask by WriteKey or by SourceName, not by both',
  ],
  ['source', 'GET /schemas/event-models', undefined, 400, `Invalid admin credentials: this is a write key. ${SEND}`],
  ['Bearer nonsense', 'GET /schemas/event-models', undefined, 400, `Basic auth credentials missing: ${NO_BEARER}`],
  ['Basic !!!', 'GET /schemas/event-models', undefined, 400, 'Basic auth credentials missing'],
  ['Digest a', 'GET /schemas/event-models', undefined, 400, 'Basic auth credentials missing'],
];
