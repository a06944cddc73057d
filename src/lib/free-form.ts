// The schema of JSON objects whose members are the client's own business.
import { Type } from '@sinclair/typebox'

/** Any text as a key: the usual pattern of records knows no line breaks, and a member under such a key would vanish unseen. */
export const anyKey = Type.String({ pattern: '^[\\s\\S]*$' })

/** An object with any members. */
export const freeForm = Type.Record(anyKey, Type.Unknown())

/** How deep objects of free data may be nested; a path that is longer leads nowhere. */
export const deepestData = 20
