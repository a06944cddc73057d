// Headers by which a program says of a message what a request says in its members: they are for us, and leave with nobody. Pure.
import { type FieldError, invalid } from '../../../lib/errors'
import { storable } from '../../../lib/storable'
import { metadataFault, type Submission } from '../v1'

export interface MessageOptions {
  /** Nothing is measured unless the message asks for it: what it holds may be a link that must not be changed. */
  tracking: boolean
  tags: string[]
  metadata: NonNullable<Submission['metadata']>
  key: string | undefined
}

const maxTags = 20
const maxTagLength = 100
const known = ['X-Waxwing-Track', 'X-Waxwing-Tag', 'X-Waxwing-Metadata', 'X-Waxwing-Idempotency-Key']

/** Throws 422 that names each header that is wrong. `headers` have their names in lower case. */
export function readOptions(headers: ReadonlyArray<[name: string, value: string]>): MessageOptions {
  const faults: FieldError[] = []
  const refuse = (field: string, message: string): void =>
    void faults.push({ field, message, code: 'invalid_string' })
  const options: MessageOptions = { tracking: false, tags: [], metadata: {}, key: undefined }
  const seen = new Set<string>()
  for (const [lower, value] of headers) {
    const name = known.find(one => one.toLowerCase() === lower)
    if (name === undefined) {
      refuse(lower, `is no header of Waxwing's; those are ${known.join(', ')}`)
      continue
    }
    if (seen.has(name) && name !== 'X-Waxwing-Tag') refuse(name, 'must be there once')
    seen.add(name)
    if (name === 'X-Waxwing-Track') readTrack(value, options, refuse)
    else if (name === 'X-Waxwing-Tag') readTag(value, options, refuse)
    else if (name === 'X-Waxwing-Metadata') readMetadata(value, options, refuse)
    else if (/^[\x20-\x7e]{1,255}$/.test(value)) options.key = value
    else refuse(name, 'must be 1 to 255 printable ASCII characters')
  }
  if (options.tags.length > maxTags) refuse('X-Waxwing-Tag', `must be there ${maxTags} times at most`)
  if (faults.length > 0) throw invalid(faults)
  return options
}

type Refuse = (field: string, message: string) => void

function readTrack(value: string, options: MessageOptions, refuse: Refuse): void {
  const words = value
    .toLowerCase()
    .split(',')
    .map(word => word.trim())
  const asksForBoth = words.length === 2 && words.includes('opens') && words.includes('clicks')
  if (asksForBoth) options.tracking = true
  else if (words.join() !== 'none')
    refuse('X-Waxwing-Track', 'must be "opens, clicks", which are measured together, or "none"')
}

function readTag(value: string, { tags }: MessageOptions, refuse: Refuse): void {
  const tag = storable(value)
  if (tag === '' || tag.length > maxTagLength)
    refuse('X-Waxwing-Tag', `must be one tag of 1 to ${maxTagLength} characters`)
  else tags.push(tag)
}

function readMetadata(value: string, options: MessageOptions, refuse: Refuse): void {
  try {
    const given: unknown = JSON.parse(storable(value))
    const fault = metadataFault(given)
    if (fault === undefined) options.metadata = given as MessageOptions['metadata']
    else refuse('X-Waxwing-Metadata', fault)
  } catch {
    refuse('X-Waxwing-Metadata', 'must be a JSON object, such as {"order":"4711"}')
  }
}
