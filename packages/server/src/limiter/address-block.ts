import { isIPv6 } from 'node:net';

/** One person controls a whole IPv6 /64, so it counts as one address. */
export function blockOf(address: string): string {
  if (!isIPv6(address) || address.startsWith('::ffff:')) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [
    ...left,
    ...Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0'),
    ...right,
  ];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
