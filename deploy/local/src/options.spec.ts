import { describe, expect, it } from '@jest/globals';
import { optionsFromEnvironment } from './options.js';

describe('optionsFromEnvironment', () => {
  it('needs nothing', () => {
    expect(optionsFromEnvironment({})).toMatchObject({ port: 8080, replicas: 1, durable: true, output: 'inherit' });
    expect(optionsFromEnvironment({})).toMatchObject({ host: '127.0.0.1' });
    expect(optionsFromEnvironment({}).dataDir).toMatch(/\/\.weir$/);
  });

  it('takes what is set; empty counts as unset', () => {
    const env = { PORT: '9000', HOST: '::', WEIR_REPLICAS: '2', WEIR_DATA_DIR: '/data' };
    expect(optionsFromEnvironment(env)).toMatchObject({ port: 9000, host: '::', replicas: 2, dataDir: '/data' });
    const empty = { PORT: '', HOST: '', WEIR_DATA_DIR: '' };
    expect(optionsFromEnvironment(empty)).toMatchObject({ port: 8080, host: '127.0.0.1' });
  });

  it.each([
    ['PORT', '80a'],
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['WEIR_REPLICAS', '0'],
    ['WEIR_REPLICAS', '1.5'],
    ['HOST', 'my-laptop'],
    ['HOST', '127.0.0'],
  ])('refuses %s=%s in one sentence', (name, value) => {
    expect(() => optionsFromEnvironment({ [name]: value })).toThrow(new RegExp(`^${name} is "${value}": set it to`));
  });
});
