import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';

/** Below this size, compression costs more than it saves. */
const packAboveBytes = 512;
const zstdMagic = 0x28;
const params = { [constants.ZSTD_c_compressionLevel]: 1 };

/** Compresses data above a minimum size. The first byte distinguishes the two forms: layout versions count from 1, and zstd starts with 0x28. */
export function pack(bytes: Uint8Array): Uint8Array {
  return bytes.length > packAboveBytes ? zstdCompressSync(bytes, { params }) : bytes;
}

export function unpack(bytes: Uint8Array): Uint8Array {
  return bytes[0] === zstdMagic ? zstdDecompressSync(bytes) : bytes;
}
