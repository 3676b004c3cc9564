import { describe, expect, it } from '@jest/globals';
import { displayName, fillTemplate, isForEvent, listed } from './message.js';

describe('a message for people', () => {
  it('has the paths of its template filled in, once, and nothing else', () => {
    const values = { name: 'Home', properties: { n: 5, list: [{ a: 1 }] }, text: '{{name}}' };
    expect(fillTemplate('{{ name }}:{{{properties.n}}}{{none}} {{constructor.name}}', values)).toBe('Home:5 ');
    expect(fillTemplate('{{properties.list}} {{properties.list.0.a}} {{text}}', values)).toBe('[{"a":1}] 1 {{name}}');
  });

  it.each([
    [{ firstName: 'Ada', lastName: 'King', email: 'a@b.c' }, 'Ada King'],
    [{ username: 'ada', email: 'a@b.c' }, 'ada'],
    [{ email: 'a@b.c' }, 'a@b.c'],
    [{}, 'User u'],
  ])('calls who has %j %s', (traits, name) => {
    expect(displayName({ userId: 'u' }, traits)).toBe(name);
  });

  it('calls nobody by an id that is not there', () => {
    expect(displayName({ anonymousId: 'a' }, {})).toBe('Anonymous user a');
  });

  it('lists what may be shown, in that order', () => {
    expect(listed({ a: 1, b: { c: 2 }, d: null }, ['b', 'a', 'e'])).toBe('b: {"c":2} a: 1 ');
    expect(listed({ a: 1, d: null }, [])).toBe('a: 1 d:  ');
  });

  it.each([
    [{ eventName: 'Paid' }, true],
    [{ eventName: 'Pa' }, false],
    [{ eventName: '^Pa', eventRegex: true }, true],
    [{ eventName: '(', eventRegex: true }, false],
    [{ eventName: '', eventRegex: true }, false],
  ])('is set up by %j: %s', (setting, isSetUp) => {
    expect(isForEvent(setting, 'Paid')).toBe(isSetUp);
  });
});
