import { describe, expect, it } from '@jest/globals';
import { fieldsOf, labelOf, settingsOf, withoutSecrets } from './config-form.js';

const SCHEMA = {
  type: 'object',
  required: ['webhookUrl'],
  properties: {
    method: { enum: ['POST', 'PUT'] },
    webhookUrl: { type: 'string', description: 'Where events are sent' },
    headers: {
      type: 'array',
      items: { type: 'object', properties: { from: { type: 'string' }, to: { type: 'string' } } },
    },
    signingKey: { type: ['string', 'null'] },
    region: { type: ['string', 'null'], examples: ['us', 'eu'] },
    isOn: { type: ['boolean', 'null'] },
    port: { type: ['string', 'integer'] },
    limit: { type: 'integer' },
    anything: {},
  },
};

describe('fieldsOf', () => {
  const fields = fieldsOf(SCHEMA, ['signingKey', 'headers.to']);
  const kinds = Object.fromEntries(fields.map(({ key, control }) => [key, control.kind]));

  it('puts what is required first, and finds a control for every form of setting', () => {
    expect(fields[0]).toMatchObject({
      key: 'webhookUrl',
      label: 'Webhook URL',
      hint: 'Where events are sent',
      isRequired: true,
    });
    expect(kinds).toEqual({
      webhookUrl: 'text',
      method: 'choice',
      headers: 'rows',
      signingKey: 'text',
      region: 'choice',
      isOn: 'switch',
      port: 'text',
      limit: 'number',
      anything: 'json',
    });
  });

  it('knows secrets, also in the columns of a list', () => {
    expect(fields.filter(({ isSecret }) => isSecret).map(({ key }) => key)).toEqual(['signingKey']);
    const headers = fields.find(({ key }) => key === 'headers')?.control;
    expect(headers).toMatchObject({
      columns: [
        { key: 'from', isSecret: false },
        { key: 'to', isSecret: true },
      ],
    });
  });

  it('makes no form of what is no schema', () => {
    expect(fieldsOf(null, [])).toEqual([]);
    expect(fieldsOf({ properties: 'x' }, [])).toEqual([]);
  });
});

it('writes keys as words', () => {
  expect(['apiKey', 'rest_api_id', 'useSSL'].map(labelOf)).toEqual(
    ['Api key', 'Rest API ID', 'Use SSL'].map((text) => text.replace('Api', 'API')),
  );
});

it('sends no empty settings, and keeps false and zero', () => {
  expect(settingsOf({ a: '', b: [], c: undefined, d: false, e: 0, f: '***' })).toEqual({ d: false, e: 0, f: '***' });
});

it('leaves out secrets, and lists with a secret column', () => {
  const config = { url: 'u', signingKey: 's', headers: [{ from: 'a', to: 'b' }] };
  expect(withoutSecrets(config, ['signingKey', 'headers.to'])).toEqual({ url: 'u' });
});
