import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { describe, expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

// The registries again, as numbers instead of prefixes, with an oracle that compares instead of masking bits.
const special4: [first: string, last: string][] = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.31.196.0', '192.31.196.255'],
  ['192.52.193.0', '192.52.193.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['192.175.48.0', '192.175.48.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
];
const special6: [first: string, last: string][] = [
  ['0:0:0:0:0:0:0:0', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:0:0:0:0:0:0:0', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db8:0:0:0:0:0:0', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2002:0:0:0:0:0:0:0', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2620:4f:8000:0:0:0:0:0', '2620:4f:8000:ffff:ffff:ffff:ffff:ffff'],
  ['3fff:0:0:0:0:0:0:0', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['4000:0:0:0:0:0:0:0', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];
const nat64 = 0x64_ff9bn << 96n;

const four = (text: string) => text.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
const six = (text: string) => text.split(':').reduce((sum, part) => sum * 65_536n + BigInt(`0x${part}`), 0n);
const write4 = (value: bigint) => [24n, 16n, 8n, 0n].map((bits) => (value >> bits) & 255n).join('.');
const write6 = (value: bigint) =>
  [112n, 96n, 80n, 64n, 48n, 32n, 16n, 0n].map((bits) => ((value >> bits) & 65_535n).toString(16)).join(':');

const isWithin = (ranges: [bigint, bigint][], value: bigint) =>
  ranges.some(([first, last]) => value >= first && value <= last);
const ranges4 = special4.map(([first, last]): [bigint, bigint] => [four(first), four(last)]);
const ranges6 = special6.map(([first, last]): [bigint, bigint] => [six(first), six(last)]);

const expected4 = (value: bigint) => !isWithin(ranges4, value);
const expected6 = (value: bigint) =>
  value >> 32n === nat64 >> 32n ? expected4(value & 0xffff_ffffn) : !isWithin(ranges6, value);

/** Any value, often at the edge of a range. */
function values(ranges: [bigint, bigint][], max: bigint): fc.Arbitrary<bigint> {
  const edges = ranges.flatMap(([first, last]) => [
    first - 1n,
    first,
    first + 1n,
    last - 1n,
    last,
    last + 1n,
  ]);
  return fc.oneof(
    fc.bigInt({ min: 0n, max }),
    fc.constantFrom(...edges.filter((edge) => edge >= 0n && edge <= max)),
  );
}
const values4 = values(ranges4, 0xffff_ffffn);
const values6 = fc.oneof(
  values(ranges6, (1n << 128n) - 1n),
  fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n }),
  values4.map((value) => nat64 + value),
);

describe('the registries', () => {
  test('classifies IPv4 addresses', () => {
    fc.assert(
      fc.property(values4, (value) => isPublicAddress(write4(value)) === expected4(value)),
      { numRuns: 20_000 },
    );
  });

  test('classifies IPv6 addresses in every spelling', () => {
    fc.assert(
      fc.property(values6, (value) => {
        const full = write6(value);
        const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
        for (const spelling of [full, full.toUpperCase(), short])
          if (isPublicAddress(spelling) !== expected6(value)) return false;
        return true;
      }),
      { numRuns: 20_000 },
    );
  });

  test('never accepts an address that a third-party library calls special', () => {
    // The library treats all of nat64 as special, while we check the embedded address.
    const isSpecial = (address: string) => !['unicast', 'rfc6052'].includes(ipaddr.parse(address).range());
    const texts = fc.oneof(values4.map(write4), values6.map(write6));
    fc.assert(
      fc.property(texts, (text) => !(isSpecial(text) && isPublicAddress(text))),
      { numRuns: 20_000 },
    );
  });
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '168.63.129.15',
  '2606:4700::1111',
  '64:ff9b::8.8.8.8',
  '2001:4860:4860::8888',
])('accepts %s', (address) => expect(isPublicAddress(address)).toBe(true));

test.each([
  '169.254.169.254', // metadata service of most clouds
  '100.100.100.200', // Alibaba
  '192.0.0.192', // Oracle
  '168.63.129.16', // Azure
  'fd00:ec2::254', // AWS
  'fd20:ce::254', // Google
  '::',
  '::1',
  '::ffff:8.8.8.8', // IPv4-mapped
  '::8.8.8.8', // IPv4-compatible
  '64:ff9b::127.0.0.1', // nat64
  '64:ff9b:1::808:808', // local-use nat64
  '2002:808:808::1', // 6to4
  '2001::f7f7:f7f7', // Teredo
  'fe80::1%lo',
  '2606:4700::1111%lo',
  '',
  'localhost',
  '127.1',
  '8.8.8.8 ',
  '010.8.8.8',
])('rejects %j', (address) => expect(isPublicAddress(address)).toBe(false));
