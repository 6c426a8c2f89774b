/** Fractions of the cube roots of the first 64 primes, from FIPS 180-4. */
const roundConstants = new Int32Array([
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5, 0xd807aa98,
  0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174, 0xe49b69c1, 0xefbe4786,
  0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da, 0x983e5152, 0xa831c66d, 0xb00327c8,
  0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967, 0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13,
  0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85, 0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819,
  0xd6990624, 0xf40e3585, 0x106aa070, 0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a,
  0x5b9cca4f, 0x682e6ff3, 0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7,
  0xc67178f2,
]);

/** Fractions of the square roots of the first 8 primes. */
const firstState = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
]);

const blockBytes = 64;
const words = new Int32Array(64);
const state = new Int32Array(8);

/**
 * SHA-256 of the first `length` bytes, as eight 32-bit words that the next call overwrites. Implemented here because this package may not
 * import platform modules. For keys of one block, it is no slower than the platform's implementation.
 */
export function sha256(message: Uint8Array, length = message.length): Readonly<Int32Array> {
  state.set(firstState);
  // One byte ends the message, and eight contain its length.
  const blocks = Math.ceil((length + 9) / blockBytes);
  for (let block = 0; block < blocks; block += 1) {
    loadBlock(message, length, block * blockBytes);
    if (block === blocks - 1) {
      words[14] = Math.floor((length * 8) / 2 ** 32);
      words[15] = length * 8;
    }
    mixBlock();
  }
  return state;
}

/** Reads 64 bytes. After the end of the message, these are the end marker and zeros. */
function loadBlock(message: Uint8Array, length: number, from: number): void {
  words.fill(0, 0, 16);
  const end = Math.min(blockBytes, length - from);
  for (let at = 0; at < end; at += 1) words[at >> 2]! |= message[from + at]! << (24 - (at & 3) * 8);
  if (end >= 0 && end < blockBytes) words[end >> 2]! |= 0x80 << (24 - (end & 3) * 8);
}

function mixBlock(): void {
  for (let at = 16; at < 64; at += 1) {
    const before = words[at - 15]!;
    const late = words[at - 2]!;
    const small = rotateRight(before, 7) ^ rotateRight(before, 18) ^ (before >>> 3);
    const large = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16]! + small + words[at - 7]! + large) | 0;
  }
  let a = state[0]!;
  let b = state[1]!;
  let c = state[2]!;
  let d = state[3]!;
  let e = state[4]!;
  let f = state[5]!;
  let g = state[6]!;
  let h = state[7]!;
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      (h +
        (rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25)) +
        choice +
        roundConstants[at]! +
        words[at]!) |
      0;
    const second = ((rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22)) + majority) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + second) | 0;
  }
  state[0]! += a;
  state[1]! += b;
  state[2]! += c;
  state[3]! += d;
  state[4]! += e;
  state[5]! += f;
  state[6]! += g;
  state[7]! += h;
}

function rotateRight(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
