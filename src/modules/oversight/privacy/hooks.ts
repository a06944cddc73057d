// The hooks of erasure: what it tells the modules above it.
import { defineHook } from '../../../platform/hooks'

/** Somebody is erased: modules that keep the address, or what was sent out about the contact, forget that. Called in the transaction. */
export const personErased = defineHook<{ projectId: string; email: string; contactIds: readonly string[] }>(
  'person erased',
)
