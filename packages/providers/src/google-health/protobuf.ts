/** The fields of a message by number. For a repeated field, the last one. */
export interface Message {
  numbers: Record<number, number>;
  bytes: Record<number, Buffer>;
}

/** Parses a message of numbers and bytes, which is all that public keys contain. Throws on anything else. */
export function readMessage(buffer: Buffer): Message {
  const message: Message = { numbers: {}, bytes: {} };
  let at = 0;
  const readNumber = (): number => {
    let value = 0;
    for (let scale = 1; scale < 2 ** 35; scale *= 128) {
      const byte = buffer.readUInt8(at);
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError('a number is too long');
  };
  while (at < buffer.length) {
    const tag = readNumber();
    const [field, kind] = [Math.floor(tag / 8), tag % 8];
    const number = readNumber();
    if (kind === 0) {
      message.numbers[field] = number;
      continue;
    }
    if (kind !== 2 || at + number > buffer.length)
      throw new RangeError('a field has an unsupported type or length');
    message.bytes[field] = buffer.subarray(at, at + number);
    at += number;
  }
  return message;
}
