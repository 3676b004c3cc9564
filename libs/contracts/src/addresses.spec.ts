import { describe, expect, it } from '@jest/globals';
import { changedAddresses, isBelow } from './addresses.js';

const BASE = 'https://hooks.example.com/in';

describe('an address is below another', () => {
  it.each([
    [BASE, BASE],
    [`${BASE}/`, BASE],
    [`${BASE}/more/and/more`, BASE],
    [`${BASE}/more?page=2&page=3#part`, BASE],
    [`${BASE}?page=2`, BASE],
    [`${BASE}//more`, BASE],
    [`${BASE}/more/../less`, BASE],
    [`${BASE}/user@example.com/%C3%A9%20`, BASE],
    ['HTTPS://HOOKS.example.com:443/in/x', BASE],
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com/anything', 'https://hooks.example.com'],
    ['https://hooks.example.com//other.example/x', 'https://hooks.example.com'],
    [`${BASE}/more?op=add&tag=x`, `${BASE}?op=add`],
    [`${BASE}?tag=x&op=add`, `${BASE}?op=add`],
  ])('%s, of %s', (address, base) => {
    expect(isBelow(address, base)).toBe(true);
  });

  it.each([
    ['another host', 'https://evil.example/in', BASE],
    ['another scheme', 'http://hooks.example.com/in', BASE],
    ['another port', 'https://hooks.example.com:8443/in', BASE],
    ['a longer host', 'https://hooks.example.com.evil.example/in', 'https://hooks.example.com'],
    ['a host behind user information', 'https://hooks.example.com@evil.example/in', 'https://hooks.example.com'],
    ['user information', 'https://user:pass@hooks.example.com/in', BASE],
    ['a path beside it', 'https://hooks.example.com/inside', BASE],
    ['a path above it', 'https://hooks.example.com/', BASE],
    ['the same without its last slash', BASE, `${BASE}/`],
    ['dots', `${BASE}/../../admin`, BASE],
    ['dots in the middle', `${BASE}/a/../../admin`, BASE],
    ['encoded dots', `${BASE}/%2e%2e/admin`, BASE],
    ['half encoded dots', `${BASE}/.%2E/admin`, BASE],
    ['dots behind an encoded slash', `${BASE}/a%2f..%2f..%2fadmin`, BASE],
    ['dots behind an encoded backslash', `${BASE}/a%5C..%5c..%5cadmin`, BASE],
    ['backslashes', `${BASE}\\..\\admin`, BASE],
    ['dots that are encoded twice', `${BASE}/%252e%252e/admin`, BASE],
    ['dots with a parameter', `${BASE}/..;/admin`, BASE],
    ['dots with an encoded parameter', `${BASE}/..%3B/admin`, BASE],
    ['dots in an overlong encoding', `${BASE}/%c0%ae%c0%ae/admin`, BASE],
    ['dots as %u', `${BASE}/%u002e%u002e/admin`, BASE],
    ['dots before a NUL', `${BASE}/..%00/admin`, BASE],
    ['dots before a line feed', `${BASE}/..%0a/admin`, BASE],
    ['dots before a space', `${BASE}/..%20/admin`, BASE],
    ['three dots', `${BASE}/.../admin`, BASE],
    ['a tab that parsers leave out', `${BASE}/.\t./admin`, BASE],
    ['dots from the root', 'https://hooks.example.com/%2e%2e%2fadmin', 'https://hooks.example.com/in'],
    ['a parameter that it has with another value', `${BASE}?op=delete`, `${BASE}?op=add`],
    ['a parameter of it once more', `${BASE}?op=add&op=delete`, `${BASE}?op=add`],
    ['a parameter of it in disguise', `${BASE}?op=add&%6fp=delete`, `${BASE}?op=add`],
    ['more of its last parameter', `${BASE}?op=add/more`, `${BASE}?op=add`],
    ['without its parameters', BASE, `${BASE}?op=add`],
    ['no web address', 'redis:6379', 'redis:6379'],
    ['a file', 'file:///in', 'file:///in'],
    ['no address', 'in', 'in'],
  ])('but not with %s: %s', (_, address, base) => {
    expect(isBelow(address, base)).toBe(false);
  });
});

describe('changedAddresses', () => {
  it.each([
    [[], 'https://a.example/one', 'https://a.example/one'],
    [[], 'https://a.example/one/two', 'https://a.example/one'],
    [['url'], 'https://a.example/two', 'https://a.example/one'],
    [['url'], 'https://b.example/one', 'https://a.example/one'],
    [['url'], 'http://a.example/one', 'https://a.example/one'],
    [['url'], 'https://a.example:8443/one', 'https://a.example/one'],
    [['url'], 'https://a.example@b.example/', 'https://a.example/'],
    [['url'], undefined, 'https://a.example/one'],
    [['url'], 'https://a.example/one', undefined],
    [[], undefined, undefined],
    [[], '', null],
    [[], 'redis-a:6379', 'redis-a:6379'],
    [['url'], 'redis-b:6379', 'redis-a:6379'],
    [['url'], 'redis-a:6380', 'redis-a:6379'],
    [['url'], 'EU', 'US'],
    [['url'], true, false],
    [['url'], ['a'], ['b']],
  ])('are %j for %j after %j', (changed, next, stored) => {
    expect(changedAddresses({ url: next }, { url: stored }, ['url'])).toEqual(changed);
  });

  it('names each key that leads elsewhere', () => {
    const stored = { host: 'a', port: 1, path: 'x' };
    expect(changedAddresses({ host: 'b', port: 2, path: 'y' }, stored, ['host', 'port'])).toEqual(['host', 'port']);
  });
});
