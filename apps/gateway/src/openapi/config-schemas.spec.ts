import { describe, expect, it } from '@jest/globals';
import { type DestinationDefinition, ListDefinitions } from '@weir/contracts';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from './document.js';
import { allRoutes } from './index.js';

const [example] = ListDefinitions.example.reply.definitions;
const kind = (name: string, configSchema: object) => ({ ...example, name, configSchema }) as DestinationDefinition;
const DEFINITIONS = [
  kind('WEBHOOK', { type: 'object', required: ['webhookUrl'], properties: { webhookUrl: { type: 'string' } } }),
  kind('FACEBOOK_PIXEL', { $schema: 'x', type: 'object', properties: { pixelId: { type: 'string' } } }),
];

const documentOf = (definitions: DestinationDefinition[]) =>
  JSON.parse(JSON.stringify(openApiDocument(allRoutes(), definitions)));

describe('the settings of destinations in the document', () => {
  const { components } = documentOf(DEFINITIONS);
  const checkOf = (name: string) =>
    new Ajv2020({ strict: false, validateFormats: false }).compile({
      components,
      $ref: `#/components/schemas/${name}`,
    });

  it('have a named schema by type', () => {
    expect(components.schemas.FacebookPixelConfig).toEqual({
      title: example?.displayName,
      type: 'object',
      properties: { pixelId: { type: 'string' } },
    });
  });

  it.each([
    [true, { name: 'a', type: 'WEBHOOK', config: { webhookUrl: 'https://a.example' } }],
    [true, { name: 'a', type: 'FACEBOOK_PIXEL', config: { pixelId: '1' }, enabled: false }],
    [false, { name: 'a', type: 'WEBHOOK', config: { webhookUrl: 1 } }],
    [false, { name: 'a', type: 'NOBODY', config: {} }],
    [false, { type: 'WEBHOOK', config: { webhookUrl: 'https://a.example' } }],
  ])('decide by the type of a new destination: %s for %j', (valid, body) => {
    expect(checkOf('CreateDestination')(body)).toBe(valid);
  });

  it('are told apart by the type, in schemas with names that stay when a kind is added', () => {
    const { oneOf, discriminator } = components.schemas.CreateDestination;
    const $ref = '#/components/schemas/FacebookPixelDestination';
    expect(oneOf).toContainEqual({ $ref });
    expect(discriminator).toMatchObject({ propertyName: 'type', mapping: { FACEBOOK_PIXEL: $ref } });
  });

  it('are those of any type in an update, which does not repeat the type', () => {
    expect(checkOf('UpdateDestination')({ config: { webhookUrl: 'https://a.example' } })).toBe(true);
  });

  it('are of a free form while nobody knows the definitions', () => {
    const { schemas } = documentOf([]).components;
    expect(schemas.CreateDestination.properties.config).toMatchObject({ type: ['object', 'null'] });
    expect(Object.keys(schemas).filter((name) => name.endsWith('Config'))).toEqual(['SourceConfig']);
  });
});
