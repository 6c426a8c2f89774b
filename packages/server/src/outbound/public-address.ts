import { BlockList, isIP } from 'node:net';

type Range = readonly [base: string, bits: number];

// https://www.iana.org/assignments/iana-ipv4-special-registry, multicast, and the rest of class E. Includes ranges that the registry calls reachable:
// DNS relays and sinks, where no receiver of our requests can be.
const specialIpv4: readonly Range[] = [
  ['0.0.0.0', 8], // this network
  ['10.0.0.0', 8], // private
  ['100.64.0.0', 10], // carrier-grade NAT
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, cloud metadata services
  ['172.16.0.0', 12], // private
  ['192.0.0.0', 24], // protocol assignments, cloud metadata service
  ['192.0.2.0', 24], // documentation
  ['192.31.196.0', 24], // AS112
  ['192.52.193.0', 24], // AMT
  ['192.88.99.0', 24], // 6to4 relays
  ['192.168.0.0', 16], // private
  ['192.175.48.0', 24], // AS112
  ['198.18.0.0', 15], // benchmarks
  ['198.51.100.0', 24], // documentation
  ['203.0.113.0', 24], // documentation
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
  ['168.63.129.16', 32], // Azure platform service, which every virtual machine can reach at this public address
];

// Only IPv6 addresses that IANA assigned as global unicast can pass: https://www.iana.org/assignments/ipv6-address-space
const globalIpv6: Range = ['2000::', 3];

// https://www.iana.org/assignments/iana-ipv6-special-registry, the ranges within global unicast.
const specialIpv6: readonly Range[] = [
  ['2001::', 23], // protocol assignments: Teredo, ORCHID, benchmarks and others
  ['2001:db8::', 32], // documentation
  ['2002::', 16], // 6to4
  ['2620:4f:8000::', 48], // AS112
  ['3fff::', 20], // documentation
];

// Networks without IPv4 reach it through nat64: DNS returns this prefix with the IPv4 address of the host.
const nat64 = '64:ff9b::';
const nat64Bits = 96;

const passing = new BlockList();
passing.addSubnet(...globalIpv6, 'ipv6');
passing.addSubnet(nat64, nat64Bits, 'ipv6');

const special = new BlockList();
for (const [base, bits] of specialIpv4) {
  special.addSubnet(base, bits, 'ipv4');
  special.addSubnet(`${nat64}${base}`, nat64Bits + bits, 'ipv6');
}
for (const range of specialIpv6) special.addSubnet(...range, 'ipv6');

/** Whether an address is on the public internet. False for anything that is not an address. */
export function isPublicAddress(address: string): boolean {
  const family = address.includes('%') ? 0 : isIP(address); // an address with a zone is local to this machine
  if (family === 4) return !special.check(address, 'ipv4');
  return family === 6 && passing.check(address, 'ipv6') && !special.check(address, 'ipv6');
}
