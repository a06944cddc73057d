// The media type of a message, known from its header alone: a look before anything is parsed. Pure.

const longestHeader = 65_536
const contentType = /^content-type:[ \t\r\n]{0,100}([\w.+-]{1,100}\/[\w.+-]{1,100})/im

/** In lower case, without parameters; '' where the header names none. */
export function mediaTypeOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, Math.min(raw.length, longestHeader)).toString('latin1')
  const [header = ''] = text.split(/\r?\n\r?\n/, 1)
  return contentType.exec(header)?.[1]?.toLowerCase() ?? ''
}
