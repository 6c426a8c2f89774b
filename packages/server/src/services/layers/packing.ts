import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this, compression costs more than it saves. */
const packAboveBytes = 512;
const zstdMagic = 0x28;
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Compresses what is worth it. The first byte tells the two apart: layouts count their versions from 1, zstd begins with 0x28. */
export function pack(bytes: Uint8Array): Uint8Array {
  return bytes.length > packAboveBytes ? zstdCompressSync(bytes, { params }) : bytes;
}

export function unpack(bytes: Uint8Array): Uint8Array {
  return bytes[0] === zstdMagic ? zstdDecompressSync(bytes) : bytes;
}
