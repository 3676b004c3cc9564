import { type Case, text } from './case.js';

/** Area C. */
export const testApi: Case[] = [
  ['writer', 'POST /v0/testDestination/{destination}', {}, 400, 'message type missing or invalid'],
  ['writer', 'POST /v0/testDestination/{destination}', { message: 7 }, 400, 'message type missing or invalid'],
  ['writer', 'POST /v0/testDestination/{destination}', { message: [] }, 400, 'message type missing or invalid'],
  ['writer', 'POST /v0/testDestination/{destination}', { message: {} }, 400, 'message type missing or invalid'],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 'dance' } },
    400,
    'message type is unsupported',
  ],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 'Identify' } },
    400,
    'message type is unsupported',
  ],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 7 } },
    400,
    'message type missing or invalid',
  ],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 'track' }, stage: 'x' },
    400,
    'stage must be an object',
  ],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 'track' }, stage: { user_transform: 'yes' } },
    400,
    'stage.user_transform must be true or false',
  ],
  [
    'writer',
    'POST /v0/testDestination/{destination}',
    { message: { type: 'track', a: text(600_000) } },
    413,
    'message takes 600023 bytes: at most 524288 are allowed',
  ],
  ['writer', 'POST /v0/testDestination/{unknown}', { message: { type: 'track' } }, 404, 'destination not found'],
  ['writer', 'POST /v0/testDestination/x', { message: { type: 'track' } }, 404, 'destination not found'],
  ['writer', 'GET /v0/testDestination/{destination}', undefined, 405, 'This path answers POST only'],
  ['writer', 'POST /v0/testSource/{source}', {}, 400, 'message type missing or invalid'],
  ['writer', 'POST /v0/testSource/{source}', { message: { type: 'dance' } }, 400, 'message type is unsupported'],
  ['writer', 'POST /v0/testSource/{unknown}', { message: { type: 'track' } }, 404, 'source not found'],
  ['writer', 'POST /v0/testSource/{source}', { message: 'x' }, 400, 'message type missing or invalid'],
  ['writer', 'DELETE /v0/testSource/{source}', undefined, 405, 'This path answers POST only'],
];
