// The schema of JSON objects whose members are the client's own business.
import { Type } from '@sinclair/typebox'

/** Any text as a key: the usual pattern for records excludes line breaks, and a member with such a key would vanish silently. */
export const anyKey = Type.String({ pattern: '^[\\s\\S]*$' })

/** An object with any members. */
export const freeForm = Type.Record(anyKey, Type.Unknown())

/** How deep objects of free data may be nested; a path that is longer leads nowhere. */
export const deepestData = 20
