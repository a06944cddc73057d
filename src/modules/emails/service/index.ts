// Use cases of the delivery ledger.
export { createEmails } from './create'
export { foldEmailCounts, measureReputation, type Reputations } from './days'
export { makeDelivery } from './deliver'
export { handOver } from './handover'
export { type KeyRing, makeKeyRing } from './keys'
export { getEmail, listEmails } from './ledger'
export { type Booked, makeBooker } from './pace'
export { type Outcome, settleBatch, settlePersistently } from './settle'
