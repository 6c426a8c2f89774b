import { encodeQR } from 'qr';

/** Returns a QR code as the path of its dark modules, one unit wide each, with the quiet zone that readers need. */
export function drawQr(text: string): { size: number; path: string } {
  const modules = encodeQR(text, 'raw', { border: 4 });
  const squares = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return { size: modules.length, path: squares.join('') };
}
