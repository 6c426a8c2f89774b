/** A buffer that grows as data is written. Numbers are varints: seven bits per byte, lowest first. */
export class ByteWriter {
  #bytes = new Uint8Array(256);
  #length = 0;

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#length++] = value;
  }

  /** An integer from 0 to 2^53 − 1. */
  varint(value: number): void {
    this.#reserve(8);
    if (value < 0x80) {
      this.#bytes[this.#length++] = value;
      return;
    }
    let rest = value;
    while (rest >= 0x8000_0000) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** A signed integer in zigzag encoding, which keeps small magnitudes small. */
  signed(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /**
   * Writes each integer as its difference from the previous one, starting from zero. Runs of small differences are written in one loop,
   * because this is the hot path.
   */
  differences(numbers: Float64Array): void {
    this.#reserve(numbers.length * 8);
    const bytes = this.#bytes;
    let length = this.#length;
    let before = 0;
    for (let at = 0; at < numbers.length; at += 1) {
      const number = numbers[at]!;
      const difference = number - before;
      before = number;
      const zigzag = difference < 0 ? -2 * difference - 1 : 2 * difference;
      if (zigzag < 0x80) {
        bytes[length++] = zigzag;
      } else {
        this.#length = length;
        this.varint(zigzag);
        length = this.#length;
      }
    }
    this.#length = length;
  }

  /** Eight bytes, little-endian, for numbers that are not integers. */
  float(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }

  #reserve(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + more));
    grown.set(this.#bytes);
    this.#bytes = grown;
  }
}

/** Reads data written by `ByteWriter`. Throws if the data is truncated. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError('unexpected end of data');
    return value;
  }

  varint(): number {
    const first = this.byte();
    if (first < 0x80) return first;
    let value = first & 0x7f;
    let scale = 128;
    for (;;) {
      const next = this.byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) return value;
      scale *= 128;
    }
  }

  signed(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Reads integers written by `differences`. */
  differences(into: Float64Array): void {
    const bytes = this.#bytes;
    let number = 0;
    for (let at = 0; at < into.length; at += 1) {
      const first = bytes[this.#at]!;
      if (first < 0x80) {
        this.#at += 1;
        number += first & 1 ? -((first + 1) >> 1) : first >> 1;
      } else {
        number += this.signed();
      }
      into[at] = number;
    }
  }

  float(): number {
    const bytes = this.raw(8);
    return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true);
  }

  raw(length: number): Uint8Array {
    const bytes = this.#bytes.subarray(this.#at, this.#at + length);
    if (bytes.length < length) throw new RangeError('unexpected end of data');
    this.#at += length;
    return bytes;
  }
}
