// Memory of a message that is large: with room in front, so that headers are put there without moving it, and shared, so that a thread reads
// it where it is. Copying 40 MB takes 40 ms, and no request is answered meanwhile.

const roomBefore = 16 * 1024

export function bufferWithHeadroom(length: number): Buffer {
  return Buffer.from(new SharedArrayBuffer(roomBefore + length), roomBefore, length)
}

/** The bytes with ASCII in front, in the same memory, over what stood there; undefined if they have no such memory, or too little room. */
export function withBefore(words: string, bytes: Uint8Array): Buffer | undefined {
  const { buffer, byteOffset, length } = bytes
  if (!(buffer instanceof SharedArrayBuffer) || byteOffset < words.length) return undefined
  const whole = Buffer.from(buffer, byteOffset - words.length, words.length + length)
  whole.write(words, 'latin1')
  return whole
}

/** A copy if the bytes are in shared memory, for libraries that can't read it. */
export function unshared(bytes: Uint8Array): Uint8Array {
  return bytes.buffer instanceof SharedArrayBuffer ? Buffer.from(bytes) : bytes
}
