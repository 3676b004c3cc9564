import { describe, expect, it } from '@jest/globals';
import { isAddress, refusalOfHost } from './non-public.js';
import { URL } from './web/url.js';

const refusal = (url: string) => refusalOfHost(URL.parse(url)?.hostname ?? 'no url');

describe('the refusal of a host that is not public as written', () => {
  it.each([
    ['http://127.0.0.1:1/x', '127.0.0.1'],
    ['http://127.1/', '127.0.0.1'],
    ['http://2130706433/', '127.0.0.1'],
    ['http://0x7f.0.0.1/', '127.0.0.1'],
    ['http://0.0.0.0/', '0.0.0.0'],
    ['http://10.20.30.40/', '10.20.30.40'],
    ['http://100.127.255.255/', '100.127.255.255'],
    ['http://169.254.169.254/latest', '169.254.169.254'],
    ['http://172.31.0.1/', '172.31.0.1'],
    ['http://192.168.0.1/', '192.168.0.1'],
    ['http://239.1.2.3/', '239.1.2.3'],
    ['http://255.255.255.255/', '255.255.255.255'],
    ['http://[::1]:9/', '::1'],
    ['http://[::]/', '::'],
    ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
    ['http://[fd00::1]/', 'fd00::1'],
    ['http://[fe80::1]/', 'fe80::1'],
    ['http://[2001:db8::1]/', '2001:db8::1'],
    ['http://[2002:a00:1::]/', '2002:a00:1::'],
    ['http://[3fff::1]/', '3fff::1'],
    ['http://[2620:4f:8000::1]/', '2620:4f:8000::1'],
    ['http://192.88.99.1/', '192.88.99.1'],
    ['http://168.63.129.16/', '168.63.129.16'],
  ])('of %s names %s', (url, address) => {
    expect(refusal(url)).toBe(`blocked request to non-public address: ${address}`);
  });

  it.each([
    ['http://localhost/', 'localhost'],
    ['https://LOCALHOST:8443/x', 'localhost'],
    ['http://localhost./', 'localhost.'],
    ['http://my.localhost/', 'my.localhost'],
  ])('of %s names what %s stands for', (url, host) => {
    expect(refusal(url)).toBe(`cannot use 127.0.0.1 as IP address for ${host}`);
  });

  it.each([
    'http://example.com/',
    'http://127.0.0.1.example.com/',
    'http://localhost.example.com/',
    'http://notlocalhost/',
    'http://intranet/',
    'http://8.8.8.8/',
    'http://100.128.0.0/',
    'http://172.32.0.1/',
    'http://198.20.0.1/',
    'http://168.63.129.17/',
    'http://[2606:4700:4700::1111]/',
    'http://[2620:4f:8001::1]/',
    'http://[3fff:1000::1]/',
    'http://[2001:4860:4860::8888]/',
  ])('is none for %s', (url) => {
    expect(refusal(url)).toBeUndefined();
  });
});

describe('isAddress', () => {
  it.each(['203.0.113.9', '0.0.0.0', '255.255.255.255', '10.1.2.3', '::', '::1', '2001:DB8::a', '::ffff:10.0.0.1'])(
    'takes %s',
    (text) => expect(isAddress(text)).toBe(true),
  );

  it.each([
    ...['host.example', '127.1', '1.2.3', '1.2.3.4.5', '1.2.3.256', '01.2.3.4', '0x1.2.3.4', ' 1.2.3.4', '1.2.3.4:80'],
    ...['1:2:3:4:5:6:7', ':::', '[::1]', '::1.2.3', 'fe80::1%eth0', '::g', 2_130_706_433, {}, ['1.2.3.4'], true],
  ])('does not take %s', (value) => expect(isAddress(value)).toBe(false));
});
