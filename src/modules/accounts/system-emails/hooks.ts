// The hooks of letters: what they ask the modules above.
import type { SigningKey } from '../../../mail/dkim/sign'
import { defineHook } from '../../../platform/hooks'

/** The key that signs mail from a domain; undefined if nobody has proved that the domain belongs to this instance. */
export const senderKey = defineHook<string, SigningKey | undefined>('sender key')
