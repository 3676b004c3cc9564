import { describe, expect, it } from '@jest/globals';
import { optionsFromEnvironment } from './options.js';

describe('optionsFromEnvironment', () => {
  it('needs nothing', () => {
    expect(optionsFromEnvironment({})).toMatchObject({ port: 8080, replicas: 1, durable: true, output: 'inherit' });
    expect(optionsFromEnvironment({}).dataDir).toMatch(/\/\.weir$/);
  });

  it('takes what is set; empty counts as unset', () => {
    const env = { PORT: '9000', WEIR_REPLICAS: '2', WEIR_DATA_DIR: '/data' };
    expect(optionsFromEnvironment(env)).toMatchObject({ port: 9000, replicas: 2, dataDir: '/data' });
    expect(optionsFromEnvironment({ PORT: '', WEIR_DATA_DIR: '' })).toMatchObject({ port: 8080 });
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['WEIR_REPLICAS', '0'],
    ['WEIR_REPLICAS', '1.5'],
  ])('refuses %s=%s in one sentence', (name, value) => {
    expect(() => optionsFromEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} is "${value}": set it to`));
  });
});
