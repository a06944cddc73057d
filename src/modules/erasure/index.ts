// What others may use of erasure; nothing else is imported from outside.
export { personErased } from './hooks'
export { eraseAddress } from './service'
