import { expect, it } from '@jest/globals';
import {
  hasWebhookSecretBytes,
  WEBHOOK_SECRET_BYTES,
  WEBHOOK_SECRET_FORM,
  webhookHeaders,
  webhookSecret,
  webhookSignature,
} from './standard-webhooks.js';

it('signs the example of Standard Webhooks as its libraries do', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: 1_614_265_330, text: '{"test": 2432232314}' };
  expect(webhookHeaders(message, (signed) => webhookSignature(secret, signed))).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

it.each([
  [WEBHOOK_SECRET_BYTES.min - 1, false],
  [WEBHOOK_SECRET_BYTES.min, true],
  [WEBHOOK_SECRET_BYTES.max, true],
  [WEBHOOK_SECRET_BYTES.max + 1, false],
])('a secret of %i bytes is taken: %s', (bytes, isTaken) => {
  const secret = webhookSecret(Buffer.alloc(bytes, 7));
  expect(WEBHOOK_SECRET_FORM.test(secret) && hasWebhookSecretBytes(secret)).toBe(isTaken);
});
