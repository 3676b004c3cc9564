import { AppError } from '@weir/contracts';
import { defineKind } from '../../define-kind.js';
import { CA_CERTIFICATE, SKIP_VERIFY, streamPayload, userOf } from '../../session/stream.js';
import * as kit from '../../toolkit/index.js';
import { NatsSession, natsSettings } from './nats.session.js';

/** Whole tokens between dots. Wildcards are for subscribers only. */
const SUBJECT = /^[^\s.*>]+(\.[^\s.*>]+)*$/;

export default defineKind({
  name: 'NATS',
  displayName: 'NATS',
  messageTypes: ['identify', 'track', 'page', 'screen', 'group', 'alias'],
  config: {
    servers: kit.required(
      kit.asAddress(
        kit.field({ type: 'string', minLength: 1, maxLength: 2_048, description: '`host:port`; several by comma' }),
      ),
    ),
    subject: kit.required(
      kit.field({
        type: 'string',
        pattern: '^[^\\s.*>]+(\\.[^\\s.*>]+)*$',
        maxLength: 255,
        description: 'Where events are published',
      }),
    ),
    subjectByType: kit.field({
      type: 'boolean',
      default: false,
      description: 'Put `.` and the type of the event behind it',
    }),
    jetStream: kit.field({
      type: 'boolean',
      default: true,
      description: 'On: a stream has to acknowledge each event. Off: the server acknowledges it',
    }),
    username: kit.field({ type: 'string', maxLength: 1_024 }),
    password: kit.asSecret(kit.field({ type: 'string', maxLength: 4_096 })),
    token: kit.asSecret(kit.field({ type: 'string', maxLength: 4_096 })),
    credentials: kit.asSecret(
      kit.field({ type: 'string', maxLength: 16_384, description: 'Content of a credentials file (JWT and seed)' }),
    ),
    tls: kit.field({ type: 'boolean', default: false }),
    skipVerify: SKIP_VERIFY,
    caCertificate: CA_CERTIFICATE,
  },
  example: { servers: 'nats.example.com:4222', subject: 'events', username: 'ada' },
  /** Passes the event on unchanged, under the configured subject. */
  transform(event, config) {
    const subject = kit.requiredText(config, 'subject');
    const endpoint = config['subjectByType'] === true ? `${subject}.${String(event['type'])}` : subject;
    if (!SUBJECT.test(endpoint)) throw new AppError('invalid', 'subject must be words with dots between them');
    return [streamPayload({ type: 'NATS', method: 'PUBLISH', endpoint, json: event, userId: userOf(event) })];
  },
  takesEventsWhole: true,
  open: (config, outbound) => new NatsSession(natsSettings(config), outbound),
  batching: { payloadsMax: 256, bytesMax: 1_048_576, waitMs: 5 },
});
