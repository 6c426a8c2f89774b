/** Attackers' URLs for tests: each tries to reach `port` on this machine or another address that is not public. */
export function listHostileUrls(port: number): string[] {
  const spelled = addresses.flatMap((address) => Object.values(spellings).map((spell) => spell(address)));
  const places = [...spelled, ...ipv6, ...names];
  return [
    ...places.flatMap((host) => [
      `https://${host}:${port}/hook`,
      `http://${host}:${port}/`,
      `https://${host}/`,
    ]),
    ...tricks.map((trick) => trick.replaceAll('PORT', String(port))),
  ];
}

/** Names that public DNS resolves to an address that is not public. */
export const rebindingNames = [
  '127.0.0.1.nip.io',
  '7f000001.nip.io',
  'www.10.0.0.1.sslip.io',
  'localtest.me',
  'lvh.me',
  'vcap.me',
  'spoofed.burpcollaborator.net',
  'metadata.tencentyun.com',
  'localhost.attacker.example',
  '127.0.0.1.attacker.example',
  'xn--bcher-kva.attacker.example',
  'internal.attacker.example',
];

const addresses = [
  '127.0.0.1',
  '127.255.255.254',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '100.100.100.200',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.2',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
];

const parts = (address: string) => address.split('.').map(Number) as [number, number, number, number];
const number = (address: string) => parts(address).reduce((sum, part) => sum * 256 + part, 0);
const hex = (value: number) => value.toString(16);
const octal = (value: number) => value.toString(8);
const groups = (address: string) => `${hex(number(address) >>> 16)}:${hex(number(address) & 0xffff)}`;
/** Digits and letters that IDNA maps to ordinary ones. */
const shifted = (text: string, by: number) =>
  text.replaceAll(/[1-9]/g, (digit) => String.fromCodePoint(by + Number(digit)));

const spellings: Record<string, (address: string) => string> = {
  dotted: (address) => address,
  dottedWithEnd: (address) => `${address}.`,
  decimal: (address) => String(number(address)),
  hexadecimal: (address) => `0x${hex(number(address))}`,
  hexadecimalInCapitals: (address) => `0X${hex(number(address)).toUpperCase()}`,
  octal: (address) => `0${octal(number(address))}`,
  dottedHexadecimal: (address) =>
    parts(address)
      .map((part) => `0x${hex(part)}`)
      .join('.'),
  dottedOctal: (address) =>
    parts(address)
      .map((part) => `0${octal(part)}`)
      .join('.'),
  longOctal: (address) =>
    parts(address)
      .map((part) => octal(part).padStart(12, '0'))
      .join('.'),
  mixed: (address) =>
    parts(address)
      .map((part, at) => (at % 2 ? `0x${hex(part)}` : `0${octal(part)}`))
      .join('.'),
  threeParts: (address) => `${parts(address).slice(0, 2).join('.')}.${number(address) % 65_536}`,
  twoParts: (address) => `${parts(address)[0]}.${number(address) % 16_777_216}`,
  percentEncoded: (address) => address.replaceAll(/./g, (one) => `%${hex(one.codePointAt(0)!)}`),
  fullWidth: (address) => shifted(address, 0xff10),
  circled: (address) => shifted(address, 0x245f),
  mathematical: (address) => shifted(address, 0x1d7ce),
  ideographicDots: (address) => address.replaceAll('.', '。'),
  fullWidthDots: (address) => address.replaceAll('.', '．'),
  halfWidthDots: (address) => address.replaceAll('.', '｡'),
  softHyphens: (address) => address.replaceAll('.', '\u00AD.'),
  zeroWidth: (address) => address.replaceAll('.', '\u200B.'),
  mapped: (address) => `[::ffff:${address}]`,
  mappedInHexadecimal: (address) => `[::FFFF:${groups(address)}]`,
  mappedInFull: (address) => `[0:0:0:0:0:ffff:${groups(address)}]`,
  compatible: (address) => `[::${address}]`,
  translated: (address) => `[::ffff:0:${groups(address)}]`,
  nat64: (address) => `[64:ff9b::${address}]`,
  nat64InHexadecimal: (address) => `[0064:FF9B::${groups(address)}]`,
  localNat64: (address) => `[64:ff9b:1::${address}]`,
  sixToFour: (address) => `[2002:${groups(address)}::1]`,
  teredo: (address) => `[2001:0:${groups(address)}::1]`,
};

const ipv6 = [
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[fe80::1]',
  '[fe80::1%25lo]',
  '[fe80::1%lo]',
  '[::1%25lo]',
  '[fec0::1]',
  '[fc00::1]',
  '[fd00::2]',
  '[fd00:ec2::254]',
  '[fd20:ce::254]',
  '[ff02::1]',
  '[100::1]',
  '[2001:db8::1]',
  '[2001:10::1]',
  '[3fff::1]',
  '[5f00::1]',
  '[::ffff:0:0]',
  '::1',
];

const names = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'LocalHost..',
  'ｌｏｃａｌｈｏｓｔ',
  'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ',
  'loc\u00ADalhost',
  'localhost%2e',
  '%6cocalhost',
  'a.localhost',
  'localhost.localdomain',
  'ip6-localhost',
  'broadcasthost',
  'printer.local',
  'router.lan',
  'nas.home.arpa',
  'host.docker.internal',
  'gateway.docker.internal',
  'kubernetes',
  'kubernetes.default.svc.cluster.local',
  'metadata',
  'metadata.google.internal',
  'METADATA.GOOGLE.INTERNAL.',
  'metadata.azure.internal',
  'instance-data',
  'instance-data.ec2.internal',
  'wiki.corp',
  ...rebindingNames,
];

const tricks = [
  'https://example.com@127.0.0.1:PORT/',
  'https://example.com:443@127.0.0.1:PORT/',
  'https://example.com%40127.0.0.1:PORT/',
  'https://127.0.0.1:PORT@example.com/',
  'https://@127.0.0.1:PORT/',
  'https://:@127.0.0.1:PORT/',
  'https://user:pass@localhost:PORT/',
  'https://example.com\\@127.0.0.1:PORT/',
  'https:\\\\127.0.0.1:PORT\\',
  'https:/\\127.0.0.1:PORT/',
  'https:127.0.0.1:PORT/',
  'https:/127.0.0.1:PORT/',
  'https:///127.0.0.1:PORT/',
  'https:////127.0.0.1:PORT/',
  '//127.0.0.1:PORT/',
  '\\\\127.0.0.1:PORT\\',
  '127.0.0.1:PORT',
  ' https://127.0.0.1:PORT/',
  'https://127.0.0.1:PORT/ ',
  'ht\ttps://127.0.0.1:PORT/',
  'https://127.0.\n0.1:PORT/',
  'https://127.0.0.1\r\n:PORT/',
  'https://127.0.0.1\t:PORT/',
  '\u0000https://127.0.0.1:PORT/',
  'https://127.0.0.1\u0000.example.com:PORT/',
  'https://127.0.0.1%00.example.com:PORT/',
  'https://127.0.0.1%0d%0aHost:%20example.com:PORT/',
  'https://127.0.0.1#@example.com:PORT/',
  'https://127.0.0.1:PORT#@example.com/',
  'https://127.0.0.1:PORT?@example.com/',
  'https://127.0.0.1:PORT/?x=https://example.com/',
  'https://127.0.0.1:PORT;example.com/',
  'https://[127.0.0.1]:PORT/',
  'https://[[::1]]:PORT/',
  'https://[::1]@example.com:PORT/',
  'https://[::1:PORT/',
  'https://::1]:PORT/',
  'https://[::ffff:7f00:1]:PORT/',
  'https://[0:0:0:0:0:ffff:127.0.0.1]:PORT/',
  'https://127.0.0.1:0/',
  'https://127.0.0.1:0PORT/',
  'https://127.1:PORT/',
  'https://127.0.1:PORT/',
  'https://0:PORT/',
  'https://0x0:PORT/',
  'https://00:PORT/',
  'https://0177.1:PORT/',
  'https://0x7f.0x1:PORT/',
  'https://017700000001:PORT/',
  'https://127.000.000.001:PORT/',
  'https://127.0.0.1.:PORT/',
  'https://4294967295:PORT/',
  'https://①②⑦.⓪.⓪.①:PORT/',
  'https://１２７。０。０。１:PORT/',
  'https://⑫7.0.0.1:PORT/',
  'https://0ｘ7f.1:PORT/',
  'https://ⅼocalhost:PORT/',
  'http://example.com:PORT/',
  'HTTP://LOCALHOST:PORT/',
  'ftp://127.0.0.1:PORT/',
  'gopher://127.0.0.1:PORT/_GET',
  'file:///etc/passwd',
  'file://127.0.0.1/etc/passwd',
  'unix:/var/run/docker.sock',
  'http+unix://%2Fvar%2Frun%2Fdocker.sock/',
  'ws://127.0.0.1:PORT/',
  'data:text/plain,x',
  'javascript:fetch("http://127.0.0.1:PORT/")',
  'blob:https://127.0.0.1:PORT/x',
  'view-source:https://127.0.0.1:PORT/',
  'jar:https://127.0.0.1:PORT/!/',
];
