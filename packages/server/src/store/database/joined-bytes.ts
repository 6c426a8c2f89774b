/** Joins the bytes of several rows into one parameter. An array of them would have to be sent as text. */
export function joined(pieces: readonly Uint8Array[]): {
  bytes: Buffer;
  starts: number[];
  lengths: number[];
} {
  const starts: number[] = [];
  let start = 1;
  for (const piece of pieces) {
    starts.push(start);
    start += piece.length;
  }
  return { bytes: Buffer.concat(pieces), starts, lengths: pieces.map(({ length }) => length) };
}
