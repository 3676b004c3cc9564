import { describe, expect, it } from '@jest/globals';
import { displayName, fillTemplate, listed } from './message.js';

describe('a message for people', () => {
  it('has the paths of its template filled in, once, and nothing else', () => {
    const values = { name: 'Home', properties: { n: 5, list: [{ a: 1 }] }, text: '{{name}}' };
    expect(fillTemplate('{{ name }}:{{{properties.n}}}{{none}} {{constructor.name}}', values, 100)).toBe('Home:5 ');
    expect(fillTemplate('{{properties.list}} {{properties.list.0.a}} {{text}}', values, 100)).toBe(
      '[{"a":1}] 1 {{name}}',
    );
  });

  it.each([
    ['{{{{ name }}}}', '{Home}'],
    ['{{name}', '{{name}'],
    ['{ {name}} {{na{{name}}me}}', '{ {name}} {{naHomeme}}'],
    ['{{}} {{ }}.', '{{}} .'],
    ['{{\nname\t}}', 'Home'],
  ])('takes %j as what it is', (template, filled) => {
    expect(fillTemplate(template, { name: 'Home' }, 100)).toBe(filled);
  });

  it.each(['{{', '{{{', '{{ a', '}', '{{a}'])(
    'is found in one pass, however often %j stands in its template',
    (piece) => {
      const template = piece.repeat(500_000 / piece.length);
      expect(fillTemplate(template, {}, template.length)).toBe(template);
      const spaces = `{{${' '.repeat(500_000)}x`;
      expect(fillTemplate(spaces, {}, spaces.length)).toBe(spaces);
    },
  );

  it('is cut at its length, however often a long value stands in it', () => {
    const values = { long: { text: 'x'.repeat(500_000) } };
    expect(fillTemplate('{{long}}'.repeat(1_000), values, 2_000)).toHaveLength(2_000);
    expect(fillTemplate(`${'-'.repeat(9)}{{long}}`, values, 10)).toBe(`${'-'.repeat(9)}{`);
  });

  it.each([
    [{ firstName: 'Ada', lastName: 'King', email: 'a@b.c' }, 'Ada King'],
    [{ username: 'ada', email: 'a@b.c' }, 'ada'],
    [{ email: 'a@b.c' }, 'a@b.c'],
    [{}, 'User u'],
  ])('calls who has %j %s', (traits, name) => {
    expect(displayName({ userId: 'u' }, traits)).toBe(name);
  });

  it('calls a user by the address among the properties before that of the traits, and by a name before both', () => {
    const event = { userId: 'u', properties: { email: 'now@b.c' } };
    expect(displayName(event, { email: 'a@b.c' })).toBe('now@b.c');
    expect(displayName(event, { username: 'ada', email: 'a@b.c' })).toBe('ada');
  });

  it('calls nobody by an id that is not there', () => {
    expect(displayName({ anonymousId: 'a' }, {})).toBe('Anonymous user a');
  });

  it('lists what may be shown, in that order', () => {
    expect(listed({ a: 1, b: { c: 2 }, d: null }, ['b', 'a', 'e'])).toBe('b: {"c":2} a: 1 ');
    expect(listed({ a: 1, d: null }, [])).toBe('a: 1 d:  ');
  });
});
