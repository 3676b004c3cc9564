import { describe, expect, it } from '@jest/globals';
import { type JsonObject, type StageResults, secretValues } from '@weir/contracts';
import { type DestinationKind, destinationKind, type Payload, SecretMask } from '@weir/destinations';
import { CodeSecrets } from '../code/code-secrets.js';
import { viewsOf } from './shown-results.js';

const event = {
  type: 'identify',
  userId: 'ada',
  note: 'guessed: secret-9',
  traits: { email: 'ada@example.com', name: 'Ada' },
};

function tested(type: string, config: JsonObject, result: StageResults = {}, codeSecrets: string[] = []) {
  const kind = destinationKind(type) as DestinationKind;
  const mask = new SecretMask(secretValues(config, kind.definition.config.secretKeys));
  const clear = { dest_transformed_payload: kind.transform(event, config), ...result };
  return {
    clear,
    views: viewsOf(clear, {
      kind,
      config,
      mask,
      codeSecrets: new CodeSecrets(codeSecrets),
      sent: event,
      event,
      message: 0,
    }),
  };
}

const zendesk = { email: 'agent@example.com', apiToken: 'secret-9', domain: 'acme' };

describe('what a test shows', () => {
  it('is everything, to an admin', async () => {
    const { clear, views } = tested('ZENDESK', zendesk, { destination_response: ['secret-9'] });
    expect((await views).clear).toEqual({ ...clear, details: expect.anything() });
  });

  it('is no secret to anybody else, in whatever form a payload has it', async () => {
    const { clear, views } = tested('ZENDESK', zendesk);
    const [payload] = clear.dest_transformed_payload as Payload[];
    const { shown } = await views;
    expect(payload?.headers['authorization']).toBe(`Basic ${btoa('agent@example.com/token:secret-9')}`);
    expect(shown.dest_transformed_payload).toEqual([
      { ...payload, headers: { ...payload?.headers, authorization: 'Basic ***' } },
    ]);
    expect(shown.details?.requests).toEqual([expect.stringContaining(`-H 'authorization: Basic ***'`)]);
  });

  it('leaves what the caller wrote, so that nobody learns whether a guess was right', async () => {
    const { views } = tested('WEBHOOK', {
      webhookUrl: 'https://a.example/',
      headers: [{ from: 'x-key', to: 'secret-9' }],
    });
    expect((await views).shown).toMatchObject({
      dest_transformed_payload: [{ headers: { 'x-key': '***' }, body: { JSON: { note: 'guessed: secret-9' } } }],
    });
  });

  it('hides what a destination echoes, and adds no key', async () => {
    const answers = [{ got: `Basic ${btoa('agent@example.com/token:secret-9')}` }, 'also secret-9 as text'];
    const { clear, views } = tested('ZENDESK', zendesk, {
      destination_response: answers,
      destination_response_status: [200],
    });
    const { shown } = await views;
    expect(Object.keys(shown)).toEqual([...Object.keys(clear), 'details']);
    expect(shown.destination_response).toEqual([{ got: 'Basic ***' }, 'also *** as text']);
    expect(shown.destination_response_status).toEqual([200]);
  });

  it('is an error as it is', async () => {
    const kind = destinationKind('ZENDESK') as DestinationKind;
    const result = { dest_transformed_payload: { error: 'traits.email is required' } };
    const views = await viewsOf(result, {
      ...{ kind, config: zendesk, mask: new SecretMask([]), event: undefined },
      ...{ codeSecrets: new CodeSecrets([]), sent: event },
    });
    expect(views).toEqual({ clear: result, shown: result });
  });
});
