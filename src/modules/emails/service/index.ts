// Use cases of the delivery ledger.
export { createEmails } from './create'
export { type Delivery, makeDelivery } from './deliver'
export { getEmail, listEmails } from './ledger'
