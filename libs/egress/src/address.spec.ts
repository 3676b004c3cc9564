import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isInRange, isMetadata, isPublicAddress, parseAddress, parseCidrs, parseRange } from './address.js';

const isPublic = (text: string): boolean => {
  const address = parseAddress(text);
  return address !== undefined && isPublicAddress(address);
};

/** Ranges that are not public, by the registries of IANA. Plain numbers, so that no code is shared with the code under test. */
const CLOSED_V4: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const OPEN_V6: [bigint, number] = [0x2000n << 112n, 3];
const CLOSED_V6: [bigint, number][] = [
  [0x2001n << 112n, 23],
  [0x20010db8n << 96n, 32],
  [0x2002n << 112n, 16],
  [0x2620004f8000n << 80n, 48],
  [0x3fffn << 112n, 20],
];

const toNumber = (text: string) => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const v4Text = (value: number) => [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
const v6Text = (value: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((shift) => ((value >> shift) & 0xffffn).toString(16)).join(':');

const oracleV4 = (value: number) =>
  !CLOSED_V4.some(([start, bits]) => value >= toNumber(start) && value < toNumber(start) + 2 ** (32 - bits));
const isIn = (value: bigint, [start, bits]: [bigint, number]) =>
  value >> BigInt(128 - bits) === start >> BigInt(128 - bits);
const oracleV6 = (value: bigint) => isIn(value, OPEN_V6) && !CLOSED_V6.some((range) => isIn(value, range));

describe('a public address', () => {
  it.each(['1.1.1.1', '8.8.8.8', '93.184.216.34', '2606:4700:4700::1111', '2a00:1450:4001::200e'])(
    '%s is one',
    (text) => {
      expect(isPublic(text)).toBe(true);
    },
  );

  it.each([
    ['this network', '0.0.0.0'],
    ['private', '10.1.2.3'],
    ['carrier-grade NAT', '100.64.0.1'],
    ['loopback', '127.8.8.8'],
    ['link-local, cloud metadata', '169.254.169.254'],
    ['private', '172.31.255.255'],
    ['protocol assignments', '192.0.0.8'],
    ['private', '192.168.1.1'],
    ['benchmarking', '198.19.0.1'],
    ['multicast', '239.255.255.250'],
    ['reserved', '240.0.0.1'],
    ['broadcast', '255.255.255.255'],
    ['unspecified', '::'],
    ['loopback', '::1'],
    ['IPv4-compatible', '::7f00:1'],
    ['unique local', 'fd12:3456::1'],
    ['link-local', 'fe80::1'],
    ['link-local with a zone', 'fe80::1%eth0'],
    ['public with a zone', '2606:4700::1%eth0'],
    ['site-local', 'fec0::1'],
    ['multicast', 'ff02::1'],
    ['IPv4-mapped private', '::ffff:10.0.0.1'],
    ['IPv4-mapped public', '::ffff:8.8.8.8'],
    ['IPv4-translated', '::ffff:0:7f00:1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::a00:1'],
    ['6to4 of a private address', '2002:a00:1::1'],
    ['Teredo', '2001::a00:1'],
    ['documentation', '2001:db8::1'],
    ['discard', '100::1'],
    ['not assigned', '4000::1'],
  ])('%s (%s) is none', (_what, text) => {
    expect(isPublic(text)).toBe(false);
  });

  it.each(['2130706433', '0x7f.1', '017700000001', '127.1', '010.0.0.1', 'localhost', '', '1.1.1.1 ', '[::1]'])(
    'the notation %j is not an address at all',
    (text) => expect(parseAddress(text)).toBeUndefined(),
  );
});

describe('a metadata service of a cloud', () => {
  const SERVICES = [
    ['AWS, Google, Azure, Oracle, DigitalOcean, IBM, OpenStack', '169.254.169.254'],
    ['AWS, ECS tasks', '169.254.170.2'],
    ['AWS, EKS pods', '169.254.170.23'],
    ['Azure, the platform', '168.63.129.16'],
    ['Alibaba', '100.100.100.200'],
    ['Oracle', '192.0.0.192'],
    ['Tencent', '169.254.0.23'],
    ['Scaleway', '169.254.42.42'],
    ['AWS, IPv6', 'fd00:ec2::254'],
    ['AWS, EKS pods, IPv6', 'fd00:ec2::23'],
    ['Google, IPv6', 'fd20:ce::254'],
    ['Oracle, IPv6', 'fd00:c1::a9fe:a9fe'],
    ['OpenStack, IPv6', 'fe80::a9fe:a9fe'],
    ['OpenStack, IPv6, with a zone', 'fe80::a9fe:a9fe%eth0'],
    ['Scaleway, IPv6', 'fd00:42::42'],
    ['IPv4-mapped', '::ffff:168.63.129.16'],
    ['NAT64', '64:ff9b::168.63.129.16'],
    ['NAT64 with a prefix of the network', '2a01:4f8:0:64::a83f:8110'],
  ] as const;
  const inRange = (text: string, cidr: string) => {
    const address = parseAddress(text);
    return address !== undefined && isInRange(address, [parseRange(cidr)]);
  };

  it.each(SERVICES)('of %s (%s) is not public, and in no wider range', (_, text) => {
    expect(isPublic(text)).toBe(false);
    for (const cidr of [
      '0.0.0.0/0',
      '128.0.0.0/1',
      '168.63.129.16/31',
      '169.254.0.0/16',
      '::/0',
      'fd00::/8',
      'fe80::/10',
    ]) {
      expect([cidr, inRange(text, cidr)]).toEqual([cidr, false]);
    }
  });

  it.each(SERVICES.filter(([, text]) => !/%|::ffff:/.test(text)))(
    'of %s (%s) is in the range of it alone',
    (_, text) => {
      expect(inRange(text, `${text}/${text.includes(':') ? 128 : 32}`)).toBe(true);
    },
  );

  it.each(['168.63.129.15', '168.63.129.17', '169.254.169.253', '100.100.100.201', '2606:4700::1111', 'fd00:ec2::253'])(
    'is not at %s',
    (text) => {
      const address = parseAddress(text);
      expect(address && isMetadata(address)).toBe(false);
    },
  );
});

describe('against an independent oracle', () => {
  it('agrees at every boundary', () => {
    for (const [start, bits] of CLOSED_V4) {
      const first = toNumber(start);
      for (const value of [first - 1, first, first + 2 ** (32 - bits) - 1, first + 2 ** (32 - bits)]) {
        if (value < 0 || value >= 2 ** 32) continue;
        expect([v4Text(value), isPublic(v4Text(value))]).toEqual([v4Text(value), oracleV4(value)]);
      }
    }
    for (const [start, bits] of [OPEN_V6, ...CLOSED_V6]) {
      const size = 1n << BigInt(128 - bits);
      for (const value of [start - 1n, start, start + size - 1n, start + size]) {
        expect([v6Text(value), isPublic(v6Text(value))]).toEqual([v6Text(value), oracleV6(value)]);
      }
    }
  });

  it('agrees on any IPv4 address', () => {
    const any = fc.integer({ min: 0, max: 2 ** 32 - 1 });
    fc.assert(
      fc.property(any, (value) => isPublic(v4Text(value)) === oracleV4(value)),
      { numRuns: 10_000 },
    );
  });

  it('agrees on any IPv6 address', () => {
    const prefixes = [OPEN_V6, ...CLOSED_V6].map(([start]) => start);
    const near = fc
      .tuple(fc.constantFrom(...prefixes), fc.bigInt({ min: 0n, max: (1n << 110n) - 1n }))
      .map(([prefix, rest]) => prefix | rest);
    const any = fc.oneof(fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }), near);
    fc.assert(
      fc.property(any, (value) => isPublic(v6Text(value)) === oracleV6(value)),
      { numRuns: 10_000 },
    );
  });
});

describe('parseCidrs', () => {
  it.each([
    ['', []],
    [' , ', []],
    ['127.0.0.0/8', ['127.0.0.0/8']],
    ['127.0.0.0/8, fd00::/8 ,10.1.2.3,', ['127.0.0.0/8', 'fd00::/8', '10.1.2.3']],
    ['0.0.0.0/0', ['0.0.0.0/0']],
  ])('reads %j', (text, cidrs) => expect(parseCidrs(text)).toEqual(cidrs));

  it.each([
    '10.0.0.0/33',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0/8',
    'localhost',
    '10.0.0.0/8/8',
    'fd00::/129',
    '::ffff:10.0.0.0/104',
  ])('refuses %j by name', (text) =>
    expect(() => parseCidrs(`127.0.0.0/8,${text}`)).toThrow(`"${text}" is not an address range`),
  );
});
