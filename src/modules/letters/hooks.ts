// What letters ask the modules above.
import type { SigningKey } from '../../mime/dkim'
import { defineHook } from '../../platform/hooks'

/** What mail from a domain is signed with; undefined if nobody has proved that the domain belongs to this instance. */
export const senderKey = defineHook<string, SigningKey | undefined>('sender key')
