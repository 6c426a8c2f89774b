import { decodeQR } from 'qr/decode.js';
import { expect, test } from 'vitest';
import { drawQr } from './draw-qr.ts';

const scale = 4;

test.each([
  'otpauth://totp/Tributary:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tributary&digits=6&period=30',
  `otpauth://totp/Tributary:${'long-'.repeat(40)}%40example.com?secret=JBSWY3DPEHPK3PXP`,
])('the drawn code can be read: %s', (text) => {
  expect(decodeQR(photograph(drawQr(text)))).toBe(text);
});

/** Rasterizes the path as a camera would see it. */
function photograph({ size, path }: ReturnType<typeof drawQr>) {
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let row = 0; row < scale; row += 1) {
      const start = (Number(y) * scale + row) * side + Number(x) * scale;
      for (let at = start; at < start + scale; at += 1) data.fill(0, at * 4, at * 4 + 3);
    }
  return { width: side, height: side, data };
}
