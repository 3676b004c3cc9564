import { describe, expect, it } from '@jest/globals';
import { AllowedMethods } from './allowed-methods.js';

describe('AllowedMethods', () => {
  const allowed = new AllowedMethods();
  for (const method of ['GET', 'POST']) allowed.add(method, '/v2/sources');
  for (const method of ['GET', 'PUT', 'DELETE']) allowed.add(method, '/v2/sources/:id');
  allowed.add('GET', '/docs/*');

  it.each([
    ['/v2/sources', 'GET POST'],
    ['/v2/sources/', 'GET POST'],
    ['/v2/sources/abc', 'GET PUT DELETE'],
    ['/v2/sources/abc/more', ''],
    ['/v2', ''],
    ['/', ''],
    ['/docs/a/b', 'GET'],
  ])('%s answers "%s"', (path, methods) => {
    expect(allowed.of(path).join(' ')).toBe(methods);
  });
});
